package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.sauerbraten.message.CompressedEdit;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Messages with random values that reach every form of every field. */
public final class RandomMessages {
    private static final Set<String> KEYS = Set.of("item", "id", "cn");

    private final SauerbratenCodec codec;
    private final boolean hold;
    private final Random random;

    public RandomMessages(SauerbratenCodec codec, long seed) {
        this.codec = codec;
        this.hold = codec == codec.inMode(15);
        this.random = new Random(seed);
    }

    /** One of each kind of message that goes one way. */
    public static Collection<SauerbratenMessage> blanks(
            SauerbratenCodec codec, Direction direction) {
        return codec.blanks(direction);
    }

    /** Another message of the same kind. */
    public SauerbratenMessage like(SauerbratenMessage blank) {
        return (SauerbratenMessage) any(blank.getClass(), false);
    }

    private Object any(Type type, boolean element) {
        if (type instanceof ParameterizedType list) {
            List<Object> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                elements.add(any(list.getActualTypeArguments()[0], true));
            }
            return elements;
        }
        Class<?> of = (Class<?>) type;
        if (of == int.class) {
            return integer();
        } else if (of == Integer.class) {
            return integer() >>> 1;
        } else if (of == boolean.class) {
            return random.nextBoolean();
        } else if (of == String.class) {
            return text(random.nextInt(40));
        } else if (of == Bytes.class) {
            return bytes(random.nextInt(50));
        } else if (of == Pos.class) {
            return pos();
        } else if (of == CompressedEdit.class) {
            return new CompressedEdit(integer(), bytes(random.nextInt(50)));
        } else if (of == State.class) {
            return new State(
                    integer(),
                    integer(),
                    integer(),
                    integer(),
                    integer(),
                    integer(),
                    random.ints(6).boxed().toList());
        } else if (of == EditMessage.Value.class) {
            return switch (random.nextInt(3)) {
                case 0 -> new EditMessage.IntValue(integer());
                case 1 -> new EditMessage.FloatValue(random.nextFloat());
                default -> new EditMessage.TextValue(text(random.nextInt(40)));
            };
        } else if (of == RelayMessage.Client.class) {
            return new RelayMessage.Client(
                    integer(),
                    codec.packet(
                            like(LifeMessage.Spawn.BLANK),
                            like(EditMessage.EditVar.BLANK),
                            like(Pos.BLANK)));
        } else if (of == FlagMessage.Status.class) {
            return status();
        } else if (of == MatchMessage.TeamScore.class) {
            return new MatchMessage.TeamScore(text(1 + random.nextInt(9)), integer());
        } else {
            return record(of, element);
        }
    }

    private Object record(Class<?> type, boolean element) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        boolean old = codec.protocol() == 259;
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            types[i] = components[i].getType();
            if (old && (name.equals("deaths") || name.equals("tag"))) {
                values[i] = 0;
            } else if (old && name.equals("extra")) {
                values[i] = Bytes.EMPTY;
            } else if (element && i == 0 && KEYS.contains(name)) {
                values[i] = integer() >>> 1;
            } else {
                values[i] = any(components[i].getGenericType(), false);
            }
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make " + type, e);
        }
    }

    private Pos pos() {
        return Pos.of(
                uint(),
                random.nextInt(256),
                coordinate(),
                coordinate(),
                coordinate(),
                random.nextInt(65536),
                random.nextInt(256),
                random.nextInt(1 << random.nextInt(17)),
                random.nextInt(65536),
                random.nextInt(1 << random.nextInt(17)),
                random.nextInt(65536),
                random.nextBoolean());
    }

    private FlagMessage.Status status() {
        boolean dropped = random.nextBoolean();
        int owner = dropped ? -1 - random.nextInt(200) : integer();
        int team = hold ? integer() : -1;
        return new FlagMessage.Status(
                integer(),
                integer(),
                owner,
                random.nextBoolean(),
                dropped,
                dropped ? new Point(integer(), integer(), integer()) : Point.BLANK,
                team,
                team >= 0 ? integer() : 0);
    }

    private int coordinate() {
        return random.nextBoolean() ? random.nextInt(65536) : random.nextInt(1 << 24) - (1 << 23);
    }

    private int uint() {
        return random.nextInt(1 << random.nextInt(29));
    }

    private int integer() {
        return random.nextInt() >> random.nextInt(32);
    }

    private Bytes bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private String text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(CubeText.character(1 + random.nextInt(255)));
        }
        return text.toString();
    }

    /** Every message that a direction has, with random values. */
    public static List<SauerbratenMessage> each(
            SauerbratenCodec codec, Direction direction, long seed) {
        RandomMessages messages = new RandomMessages(codec, seed);
        return blanks(codec, direction).stream().map(messages::like).toList();
    }
}
