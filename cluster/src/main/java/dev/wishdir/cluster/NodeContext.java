package dev.wishdir.cluster;

import dev.wishdir.arena.Arena;

/** What all parts of a node share. */
record NodeContext(
        Arena arena,
        NodeListener listener,
        NameAgreement names,
        LevelAgreement levels,
        RoundAgreement rounds,
        BanAgreement bans,
        FaultLog faults,
        NodeCounters counters) {}
