package dev.wishdir.bedrock.inspect;

import dev.wishdir.bedrock.message.AbilityMessage.AbilityLayer;
import dev.wishdir.bedrock.message.AbilityMessage.Attribute;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAbilities;
import dev.wishdir.bedrock.message.AbilityMessage.UpdateAttributes;
import dev.wishdir.bedrock.message.ActorMessage;
import dev.wishdir.bedrock.message.ActorMessage.AddPlayer;
import dev.wishdir.bedrock.message.ActorMessage.ListedPlayer;
import dev.wishdir.bedrock.message.ActorMessage.PlayerList;
import dev.wishdir.bedrock.message.ActorMessage.Properties;
import dev.wishdir.bedrock.message.ActorMessage.RemoveActor;
import dev.wishdir.bedrock.message.ActorMessage.SetActorData;
import dev.wishdir.bedrock.message.Dialect;
import dev.wishdir.bedrock.message.Metadata;
import dev.wishdir.bedrock.message.ProtocolChange;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The fields of messages about actors: identity, appearance, abilities. */
final class ActorFields {
    private final FieldMap fields;
    private final Dialect dialect;

    ActorFields(FieldMap fields) {
        this.fields = fields;
        dialect = fields.dialect();
    }

    void put(ActorMessage message) {
        switch (message) {
            case AddPlayer m -> addPlayer(m);
            case ActorMessage.AddActor m ->
                    fields.put("unique_id", m.uniqueId())
                            .put("runtime_id", m.runtimeId())
                            .put("type", m.type())
                            .put("position", FieldMap.vector(m.position()))
                            .put("velocity", FieldMap.vector(m.velocity()))
                            .put("pitch", (double) m.pitch())
                            .put("yaw", (double) m.yaw())
                            .put("head_yaw", (double) m.headYaw())
                            .put("body_yaw", (double) m.bodyYaw())
                            .put(
                                    "attributes",
                                    m.attributes().stream()
                                            .map(a ->
                                                    List.of(
                                                            a.name(),
                                                            (double) a.min(),
                                                            (double) a.current(),
                                                            (double) a.max()))
                                            .toList())
                            .put("meta", metadata(m.metadata()))
                            .put("props", properties(m.properties()))
                            .put(
                                    "links",
                                    m.links().stream()
                                            .map(link ->
                                                    List.of(
                                                            link.ridden(),
                                                            link.rider(),
                                                            link.type()))
                                            .toList());
            case ActorMessage.AddItemActor m ->
                    fields.put("unique_id", m.uniqueId())
                            .put("runtime_id", m.runtimeId())
                            .put(
                                    "item",
                                    new InventoryFields(fields)
                                            .item(m.item(), ProtocolChange.HELD_ITEM_WHOLE))
                            .put("position", FieldMap.vector(m.position()))
                            .put("velocity", FieldMap.vector(m.velocity()))
                            .put("meta", metadata(m.metadata()))
                            .put("from_fishing", m.fromFishing());
            case ActorMessage.TakeItemActor m ->
                    fields.put("runtime_id", m.itemId()).put("taker", m.takerId());
            case RemoveActor m -> fields.put("unique_id", m.uniqueId());
            case PlayerList m -> playerList(m);
            case UpdateAbilities m -> fields.map().putAll(abilities(m));
            case UpdateAttributes m ->
                    fields.put("runtime_id", m.runtimeId())
                            .put(
                                    "attributes",
                                    m.attributes().stream().map(this::attribute).toList())
                            .put("tick", m.tick());
            case SetActorData m ->
                    fields.put("runtime_id", m.runtimeId())
                            .put("meta", metadata(m.metadata()))
                            .put("props", properties(m.properties()))
                            .put("tick", m.tick());
        }
    }

    private void addPlayer(AddPlayer m) {
        fields.put("uuid", m.uuid().toString())
                .put("name", m.name())
                .put("runtime_id", m.runtimeId())
                .put("platform_chat", m.platformChat())
                .put("position", FieldMap.vector(m.position()))
                .put("velocity", FieldMap.vector(m.velocity()))
                .put("pitch", (double) m.pitch())
                .put("yaw", (double) m.yaw())
                .put("head_yaw", (double) m.headYaw())
                .put("item", m.item().id());
        if (m.item().id() == 0 || dialect.has(ProtocolChange.HELD_ITEM_WHOLE)) {
            fields.put("gamemode", m.gameType())
                    .put("meta", metadata(m.metadata()))
                    .put("props", properties(m.properties()))
                    .put("abilities", abilities(m.abilities()))
                    .put("links", m.links().size())
                    .put("device_id", m.deviceId())
                    .put("os", m.os());
        }
    }

    private void playerList(PlayerList m) {
        boolean add = m.type() == PlayerList.ADD;
        fields.put("type", m.type())
                .put("entries", m.entries().stream().map(entry -> listed(entry, add)).toList());
        if (add) {
            fields.put("trusted", m.entries().stream().map(ListedPlayer::trusted).toList());
        }
    }

    private Map<String, @Nullable Object> listed(ListedPlayer entry, boolean add) {
        FieldMap made = new FieldMap(dialect);
        made.put("uuid", entry.uuid().toString());
        if (add) {
            made.put("unique_id", entry.uniqueId())
                    .put("name", entry.name())
                    .put("xuid", entry.xuid())
                    .put("platform_chat", entry.platformChat())
                    .put("platform", entry.platform())
                    .put("skin", entry.skin().id())
                    .put("flags", List.of(entry.teacher(), entry.host(), entry.subClient()))
                    .putIf(
                            ProtocolChange.PLAYER_COLOUR,
                            "colour",
                            HexFormat.of().toHexDigits(Integer.reverseBytes(entry.colour())));
        }
        return made.map();
    }

    private static List<List<Object>> metadata(List<Metadata> metadata) {
        return metadata.stream()
                .map(m -> List.of(m.key(), m.value().type(), m.value().plain()))
                .toList();
    }

    private static List<Object> properties(Properties properties) {
        return List.of(
                properties.ints().stream().map(p -> List.of(p.index(), p.value())).toList(),
                properties.floats().stream().map(p -> List.of(p.index(), p.value())).toList());
    }

    private Map<String, @Nullable Object> abilities(UpdateAbilities m) {
        FieldMap made = new FieldMap(dialect);
        made.put("unique_id", m.uniqueId())
                .put("permission", m.permission())
                .put("command", m.commandPermission())
                .put("layers", m.layers().stream().map(this::layer).toList());
        return made.map();
    }

    private List<Object> layer(AbilityLayer layer) {
        List<Object> values = new ArrayList<>();
        values.add(layer.layer());
        values.add(layer.allowed());
        values.add(layer.set());
        values.add((double) layer.flySpeed());
        if (dialect.has(ProtocolChange.VERTICAL_FLY_SPEED)) {
            values.add((double) layer.verticalFlySpeed());
        }
        values.add((double) layer.walkSpeed());
        return values;
    }

    private List<Object> attribute(Attribute a) {
        List<Object> values = new ArrayList<>();
        values.add(a.name());
        values.add((double) a.min());
        values.add((double) a.max());
        values.add((double) a.current());
        if (dialect.has(ProtocolChange.ATTRIBUTE_DEFAULT_BOUNDS)) {
            values.add((double) a.defaultMin());
            values.add((double) a.defaultMax());
        }
        values.add((double) a.defaultValue());
        values.add(a.modifiers().stream().map(x -> List.of(x.id(), x.name(), x.amount())).toList());
        return values;
    }
}
