package dev.wishdir.cluster.remote;

import dev.wishdir.arena.Arena;
import dev.wishdir.cluster.agreement.BanAgreement;
import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.agreement.RoundAgreement;
import dev.wishdir.cluster.message.FaultLog;
import dev.wishdir.cluster.message.NodeCounters;
import dev.wishdir.cluster.message.NodeListener;

/** Context that all parts of a node share. */
public record NodeContext(
        Arena arena,
        NodeListener listener,
        NameAgreement names,
        LevelAgreement levels,
        RoundAgreement rounds,
        BanAgreement bans,
        FaultLog faults,
        NodeCounters counters) {}
