package dev.wishdir.quake2.proxy;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.RecordFields;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.FullFrame;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.wire.Bytes;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fields of Quake II's messages, for rules. Those of a frame are of the whole state. */
final class Quake2Fields implements MessageFields<Quake2Message> {
    @Override
    public String name(Quake2Message message) {
        return message.label();
    }

    @Override
    public List<Quake2Message> examples() {
        return List.of(
                Move.BLANK,
                ClientMessage.UserInfo.BLANK,
                ClientMessage.StringCmd.BLANK,
                new FullFrame(0, 0, Bytes.EMPTY, PlayerState.ZERO, new TreeMap<>()),
                new ServerMessage.MuzzleFlash(false, 0, 0),
                new ServerMessage.MuzzleFlash(true, 0, 0),
                TempEntity.BLANK,
                Sound.BLANK,
                ServerMessage.Layout.BLANK,
                ServerMessage.Inventory.BLANK,
                ServerMessage.Signal.NOP,
                ServerMessage.Signal.DISCONNECT,
                ServerMessage.Signal.RECONNECT,
                ServerMessage.Print.BLANK,
                ServerMessage.StuffText.BLANK,
                ServerMessage.ServerData.BLANK,
                ServerMessage.ConfigString.BLANK,
                ServerMessage.SpawnBaseline.BLANK,
                ServerMessage.CenterPrint.BLANK,
                ServerMessage.Download.BLANK);
    }

    @Override
    @SuppressWarnings("unchecked") // it is only read
    public Map<String, Object> values(Quake2Message message) {
        return (Map<String, Object>) message.fields();
    }

    @Override
    public Quake2Message with(Quake2Message message, String path, String value) {
        FieldPath field = FieldPath.of(path, value);
        return switch (message) {
            case Move move -> move(move, field);
            case FullFrame frame -> frame(frame, field);
            case ServerMessage.Signal _, ServerMessage.SpawnBaseline _, ClientMessage.Nop _ ->
                    throw field.unknown();
            default -> RecordFields.with(message, field);
        };
    }

    private static Move move(Move move, FieldPath field) {
        FieldPath item = field.below("cmds", "cmds.INDEX.FIELD");
        int last = 2;
        item.isIndex(0, last);
        UserCmd[] c = {move.oldest().cmd(), move.previous().cmd(), move.newest().cmd()};
        for (int i = 0; i <= last; i++) {
            if (item.isIndex(i, last)) {
                c[i] = checked(RecordFields.with(c[i], item.rest()), item);
            }
        }
        return Move.of(move.lastFrame(), c[0], c[1], c[2]);
    }

    private static UserCmd checked(UserCmd c, FieldPath field) {
        boolean bytes =
                List.of(c.buttons(), c.impulse(), c.msec(), c.light()).stream()
                        .allMatch(value -> value >= 0 && value <= 0xFF);
        boolean words =
                List.of(c.forward(), c.side(), c.up()).stream()
                        .allMatch(value -> value == (short) (int) value);
        if (!bytes || !words) {
            throw new IllegalArgumentException(
                    field.whole()
                            + ": value '"
                            + field.value()
                            + "' is out of range: buttons, impulse, msec and light 0..255, the"
                            + " others 16 bits");
        }
        return c;
    }

    private static FullFrame frame(FullFrame frame, FieldPath field) {
        return switch (field.name()) {
            case "ps" -> frame.withPlayer(RecordFields.with(frame.player(), field.rest()));
            case "entities" -> {
                FieldPath number = field.rest();
                number.isIndex(1, FullFrame.MAX_ENTITY);
                RecordFields.with(EntityState.ZERO, number.rest());
                SortedMap<Integer, EntityState> changed = new TreeMap<>(frame.entities());
                changed.replaceAll((entity, state) ->
                        number.isIndex(entity, FullFrame.MAX_ENTITY)
                                ? RecordFields.with(state, number.rest())
                                : state);
                yield new FullFrame(
                        frame.number(),
                        frame.suppressed(),
                        frame.areaBits(),
                        frame.player(),
                        changed);
            }
            default -> throw field.unknown("ps.FIELD", "entities.NUMBER.FIELD");
        };
    }
}
