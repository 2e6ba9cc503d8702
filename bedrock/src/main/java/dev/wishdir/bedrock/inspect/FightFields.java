package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.FightMessage;
import dev.wishdir.bedrock.message.FightMessage.ActorEvent;
import dev.wishdir.bedrock.message.FightMessage.BossEvent;
import dev.wishdir.bedrock.message.FightMessage.DeathInfo;
import dev.wishdir.bedrock.message.FightMessage.MobEffect;
import dev.wishdir.bedrock.message.FightMessage.PlaySound;
import dev.wishdir.bedrock.message.FightMessage.RemoveObjective;
import dev.wishdir.bedrock.message.FightMessage.ScoreEntry;
import dev.wishdir.bedrock.message.FightMessage.SetDisplayObjective;
import dev.wishdir.bedrock.message.FightMessage.SetHealth;
import dev.wishdir.bedrock.message.FightMessage.SetScore;
import dev.wishdir.bedrock.message.FightMessage.SetTitle;
import dev.wishdir.bedrock.message.ProtocolChange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of messages about fights and scores. */
final class FightFields {
    private final FieldMap fields;

    FightFields(FieldMap fields) {
        this.fields = fields;
    }

    void put(FightMessage message) {
        switch (message) {
            case ActorEvent m ->
                    fields.put("runtime_id", FieldMap.unsigned(m.runtimeId()))
                            .put("event", m.event())
                            .put("data", m.data())
                            .putIf(
                                    ProtocolChange.SLOT_ITEM_WHOLE,
                                    "position",
                                    m.position().map(FieldMap::vector).orElse(null));
            case MobEffect m ->
                    fields.put("runtime_id", FieldMap.unsigned(m.runtimeId()))
                            .put("action", m.action())
                            .put("effect", m.effect())
                            .put("amplifier", m.amplifier())
                            .put("particles", m.particles())
                            .put("duration", m.duration())
                            .put("tick", FieldMap.unsigned(m.tick()))
                            .putIf(ProtocolChange.ANIMATE_SOURCE, "ambient", m.ambient());
            case PlaySound m ->
                    fields.put("name", m.name())
                            .put(
                                    "position",
                                    List.of(m.eighths().x(), m.eighths().y(), m.eighths().z()))
                            .put("volume", (double) m.volume())
                            .put("pitch", (double) m.pitch())
                            .putIf(ProtocolChange.NET_ID_PLAIN, "loops", m.loops())
                            .putIf(ProtocolChange.USE_HAND, "no_range_check", m.isEverywhere())
                            .putIf(
                                    ProtocolChange.SLOT_ITEM_WHOLE,
                                    "handle",
                                    m.handle().orElse(null))
                            .putIf(
                                    ProtocolChange.USE_HAND,
                                    "seconds",
                                    m.seconds().map(Float::doubleValue).orElse(null));
            case DeathInfo m -> fields.put("cause", m.cause()).put("parameters", m.parameters());
            case SetHealth m -> fields.put("health", m.health());
            case SetDisplayObjective m ->
                    fields.put("slot", m.slot())
                            .put("objective", m.objective())
                            .put("title", m.title())
                            .put("criteria", m.criteria())
                            .put("order", m.order());
            case RemoveObjective m -> fields.put("objective", m.objective());
            case SetScore m -> score(m);
            case SetTitle m ->
                    fields.put("type", m.type())
                            .put("text", m.text())
                            .put("fade_in", m.fadeIn())
                            .put("stay", m.stay())
                            .put("fade_out", m.fadeOut())
                            .put("xuid", m.xuid())
                            .put("platform", m.platform())
                            .putIf(ProtocolChange.USE_TRIGGER, "filtered", m.filtered());
            case BossEvent m ->
                    fields.put("boss", m.boss())
                            .put("player", m.player())
                            .put("type", m.type())
                            .put("title", m.title())
                            .put("filtered", m.filtered())
                            .put("progress", (double) m.progress())
                            .put("darken", m.darken())
                            .put("colour", m.colour())
                            .put("overlay", m.overlay());
        }
    }

    private void score(SetScore m) {
        if (fields.has(ProtocolChange.LIST_OF_CHANGES)) {
            fields.put("entries", m.entries().stream().map(FightFields::change).toList());
            return;
        }
        boolean removes =
                !m.entries().isEmpty() && m.entries().getFirst().kind() == ScoreEntry.REMOVE;
        List<Map<String, Object>> entries =
                m.entries().stream().map(entry -> entry(entry, !removes)).toList();
        fields.put("action", removes ? 1 : 0).put(removes ? "removals" : "changes", entries);
    }

    private static Map<String, Object> change(ScoreEntry m) {
        if (m.kind() == ScoreEntry.REMOVE) {
            return Map.of("kind", m.kind(), "id", m.entry(), "objective_gone", m.objective());
        }
        return entry(m, true);
    }

    private static Map<String, Object> entry(ScoreEntry m, boolean changes) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("id", m.entry());
        entry.put("objective", m.objective());
        entry.put("score", m.score());
        if (changes) {
            entry.put("kind", m.kind());
            if (m.kind() == ScoreEntry.TEXT) {
                entry.put("name", m.text());
            } else {
                entry.put("unique_id", m.uniqueId());
            }
        }
        return entry;
    }
}
