package dev.wishdir.bedrock.server.match;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetDisplayObjective;
import dev.wishdir.bedrock.message.FightMessage.SetScore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A list of scores on the screen of one client, which is sent only what has changed. */
final class ScoreList {
    private final String slot;
    private final String objective;
    private final String title;
    private final Consumer<BedrockMessage> output;
    private final Map<Long, ScoreEntry> sent = new LinkedHashMap<>();

    /**
     * @param slot of the screen, {@code sidebar} or {@code list}
     */
    ScoreList(String slot, String objective, String title, Consumer<BedrockMessage> output) {
        this.slot = slot;
        this.objective = objective;
        this.title = title;
        this.output = output;
    }

    String objective() {
        return objective;
    }

    /** Shows the list, without entries. */
    void show() {
        output.accept(SetDisplayObjective.descending(slot, objective, title));
    }

    /** Sends what differs from the last call. A client does not draw a changed text. */
    void update(List<ScoreEntry> entries) {
        Map<Long, ScoreEntry> wanted = new LinkedHashMap<>();
        entries.forEach(entry -> wanted.put(entry.entry(), entry));
        List<ScoreEntry> removed = new ArrayList<>();
        sent.values()
                .removeIf(old -> {
                    ScoreEntry next = wanted.get(old.entry());
                    boolean gone = next == null || !next.text().equals(old.text());
                    if (gone) {
                        removed.add(ScoreEntry.removal(old.entry(), objective));
                    }
                    return gone;
                });
        List<ScoreEntry> changed = new ArrayList<>();
        for (ScoreEntry entry : wanted.values()) {
            if (!entry.equals(sent.put(entry.entry(), entry))) {
                changed.add(entry);
            }
        }
        if (!removed.isEmpty()) {
            output.accept(new SetScore(removed));
        }
        if (!changed.isEmpty()) {
            output.accept(new SetScore(changed));
        }
    }
}
