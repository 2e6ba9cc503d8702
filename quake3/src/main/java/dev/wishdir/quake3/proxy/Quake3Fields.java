package dev.wishdir.quake3.proxy;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.quake3.inspect.Quake3MessageFields;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ClientMessage.ClientCommand;
import dev.wishdir.quake3.message.ClientMessage.Move;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.FullSnapshot;
import dev.wishdir.quake3.message.PlayerArray;
import dev.wishdir.quake3.message.PlayerField;
import dev.wishdir.quake3.message.PlayerState;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Download;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.ServerCommand;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.wire.Bytes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The fields of Quake III's messages, for rules. Those of a snapshot are of the whole state. */
final class Quake3Fields implements MessageFields<Quake3Message> {
    private static final int USERCMD_FIELDS = 9;
    private static final int AXIS = 127;
    private static final Usercmd STILL = Usercmd.ZERO;

    @Override
    public String name(Quake3Message message) {
        return message.name();
    }

    @Override
    public List<Quake3Message> examples() {
        return List.of(
                new Move(true, List.of(STILL)),
                new Move(false, List.of(STILL)),
                new ClientCommand(0, ""),
                new ServerCommand(0, ""),
                new Gamestate(0, new TreeMap<>(), List.of(), 0, 0),
                new Download(0, 0, "", Bytes.EMPTY),
                new FullSnapshot(0, 0, Bytes.EMPTY, PlayerState.ZERO, new TreeMap<>()),
                new ServerMessage.Nop(),
                new ServerMessage.Voip(0, 0, 0, 0, 0, 0, Bytes.EMPTY));
    }

    @Override
    public Map<String, Object> values(Quake3Message message) {
        return switch (message) {
            case Move m ->
                    Map.of(
                            "cmds",
                            m.commands().stream().map(Quake3MessageFields::usercmd).toList());
            case ClientCommand c -> command(c.id(), c.text());
            case ServerCommand c -> command(c.id(), c.text());
            case Gamestate g -> Quake3MessageFields.gamestate(g);
            case FullSnapshot s -> Quake3MessageFields.snapshot(s);
            case Download d -> Quake3MessageFields.download(d);
            case ClientMessage.Voip v -> Map.of("size", v.data().length());
            case ServerMessage.Voip v -> Map.of("size", v.data().length());
            case ClientMessage.Nop _, ServerMessage.Nop _, ServerMessage.Snapshot _ -> Map.of();
        };
    }

    private static Map<String, Object> command(int id, String text) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", id);
        values.put("text", text);
        return values;
    }

    @Override
    public Quake3Message with(Quake3Message message, String path, String value) {
        FieldPath field = FieldPath.of(path, value);
        return switch (message) {
            case Move m -> move(m, field);
            case ClientCommand c when field.is("text") -> new ClientCommand(c.id(), value);
            case ServerCommand c when field.is("text") -> new ServerCommand(c.id(), value);
            case ClientCommand _, ServerCommand _ -> throw field.unknown("text");
            case Gamestate g -> gamestate(g, field);
            case FullSnapshot s -> snapshot(s, field);
            default -> throw field.unknown();
        };
    }

    private static Move move(Move move, FieldPath path) {
        FieldPath item = path.below("cmds", "cmds.INDEX.FIELD");
        int last = ClientMessage.MAX_USERCMDS - 1;
        usercmd(STILL, item.rest());
        List<Usercmd> changed = new ArrayList<>();
        for (int i = 0; i < move.commands().size(); i++) {
            Usercmd c = move.commands().get(i);
            changed.add(item.isIndex(i, last) ? usercmd(c, item.rest()) : c);
        }
        return new Move(move.delta(), changed);
    }

    private static Usercmd usercmd(Usercmd c, FieldPath field) {
        int[] v = Quake3MessageFields.usercmd(c).stream().mapToInt(Integer::intValue).toArray();
        int at = field.index(USERCMD_FIELDS - 1);
        v[at] =
                switch (at) {
                    case 0 -> field.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case 4, 5, 6 -> field.integer(-AXIS, AXIS);
                    case 8 -> field.integer(0, 0xFF);
                    default -> field.integer(0, 0xFFFF);
                };
        return new Usercmd(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    }

    private static Gamestate gamestate(Gamestate g, FieldPath path) {
        FieldPath index = path.below("configstrings", "configstrings.INDEX");
        SortedMap<Integer, String> changed = new TreeMap<>(g.configstrings());
        changed.put(index.index(Gamestate.MAX_CONFIGSTRINGS - 1), path.value());
        return new Gamestate(
                g.serverCommandSequence(), changed, g.baselines(), g.clientNum(), g.checksumFeed());
    }

    private static FullSnapshot snapshot(FullSnapshot s, FieldPath path) {
        return switch (path.name()) {
            case "servertime" ->
                    new FullSnapshot(
                            path.integer(Integer.MIN_VALUE, Integer.MAX_VALUE),
                            s.flags(),
                            s.areabits(),
                            s.player(),
                            s.entities());
            case "flags" ->
                    new FullSnapshot(
                            s.serverTime(),
                            path.integer(0, 0xFF),
                            s.areabits(),
                            s.player(),
                            s.entities());
            case "ps" -> s.withPlayer(player(s.player(), path.rest()));
            case "entities" -> entities(s, path.rest());
            default ->
                    throw path.unknown("serverTime", "flags", "ps.FIELD", "entities.NUMBER.FIELD");
        };
    }

    private static PlayerState player(PlayerState state, FieldPath path) {
        for (PlayerField field : PlayerField.values()) {
            if (path.is(field.label())) {
                return state.with(
                        field, bits(path, field.isFloat(), field.width(), field.isSigned()));
            }
        }
        for (PlayerArray array : PlayerArray.values()) {
            if (path.name().equals(array.name().toLowerCase(Locale.ROOT))) {
                int value =
                        array == PlayerArray.POWERUPS
                                ? path.integer(Integer.MIN_VALUE, Integer.MAX_VALUE)
                                : path.integer(Short.MIN_VALUE, Short.MAX_VALUE);
                return state.with(array, path.rest().index(PlayerArray.LENGTH - 1), value);
            }
        }
        throw path.unknown(
                Stream.concat(
                                Arrays.stream(PlayerField.values()).map(PlayerField::label),
                                Stream.of("stats.0", "persistant.0", "ammo.0", "powerups.0"))
                        .toArray(String[]::new));
    }

    private static FullSnapshot entities(FullSnapshot s, FieldPath path) {
        int last = EntityState.NONE - 1;
        path.isIndex(0, last);
        FieldPath name = path.rest();
        EntityField field =
                Arrays.stream(EntityField.values())
                        .filter(each -> name.is(each.label()))
                        .findFirst()
                        .orElseThrow(() ->
                                name.unknown(
                                        Arrays.stream(EntityField.values())
                                                .map(EntityField::label)
                                                .toArray(String[]::new)));
        int value = bits(name, field.isFloat(), field.width(), field.isSigned());
        SortedMap<Integer, EntityState> changed = new TreeMap<>(s.entities());
        changed.replaceAll(
                (number, state) -> path.isIndex(number, last) ? state.with(field, value) : state);
        return new FullSnapshot(s.serverTime(), s.flags(), s.areabits(), s.player(), changed);
    }

    private static int bits(FieldPath field, boolean isFloat, int width, boolean signed) {
        if (isFloat) {
            return Float.floatToRawIntBits((float) field.decimal() + 0f);
        }
        if (width == Integer.SIZE) {
            return field.integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return signed
                ? field.integer(-1 << width - 1, (1 << width - 1) - 1)
                : field.integer(0, (1 << width) - 1);
    }
}
