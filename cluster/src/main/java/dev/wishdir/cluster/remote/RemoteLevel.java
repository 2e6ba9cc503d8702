package dev.wishdir.cluster.remote;

import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.PlayedLevel;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Level of another node: what it plays, prepares to play, and has ready for others. */
final class RemoteLevel {
    private PlayedLevel played = PlayedLevel.getDefaultInstance();
    private String next = "";

    /** Null for a node that does not report it, as one of an earlier version. */
    private @Nullable List<String> ready;

    private boolean late;

    PlayedLevel played() {
        return played;
    }

    void setPlayed(PlayedLevel level) {
        played = level;
    }

    /** Whether it plays a level. */
    boolean isPlayed(String name) {
        return played.getName().equals(name);
    }

    /** Takes what the node prepares, and has ready. */
    void report(Batch batch) {
        next = MessageReader.isLevelName(batch.getNextLevel()) ? batch.getNextLevel() : "";
        ready =
                batch.hasReady()
                        ? batch.getReady().getNamesList().stream()
                                .limit(LevelAgreement.MAX_READY)
                                .toList()
                        : null;
    }

    /** The level that it prepares to play; empty for none. */
    String next() {
        return next;
    }

    /** Whether it still prepares a level, and is waited for. */
    boolean isAwaited(String name) {
        List<String> reported = ready;
        return reported != null && !late && !isPlayed(name) && !reported.contains(name);
    }

    /** It was waited for in vain: it is not again, until it plays what all play. */
    void setLate(boolean late) {
        this.late = late;
    }
}
