package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * The input of a client's player in one tick, and the position after it:
 * docs/protocols/bedrock.md#playerauthinput. Sent every tick if the server has authority over
 * movement (2), or the client reports its inputs (1).
 *
 * @param rotation pitch and yaw, degrees, at the start of the tick
 * @param position of the eyes, metres, as the client predicts the end of the tick
 * @param move to the left and forwards, -1..1, along the yaw
 * @param input the set of {@link Input}s, one bit each
 * @param inputHigh the inputs from 64 on, in newer versions
 * @param inputOrder in versions that list inputs, their numbers if they do not ascend
 * @param inputMode 1 mouse, 2 touch, 3 gamepad, 4 motion controller
 * @param playMode 0 normal, 4 reality
 * @param interaction 0 touch, 1 crosshair, 2 classic
 * @param interactRotation pitch and yaw of the pointer, in newer versions
 * @param gaze direction of view in play mode 4, in older versions
 * @param tick counts the client's inputs from {@link StartGame#tick}
 * @param delta velocity at the end of the tick, metres a tick
 * @param itemUse whether the use of an item follows; in older versions {@link
 *     Input#ITEM_INTERACTION}
 * @param stackRequest whether a request for items follows; in older versions {@link
 *     Input#ITEM_STACK_REQUEST}
 * @param unread all that follows the delta if one of these two does: nothing about movement
 * @param blockActions in older versions only with {@link Input#BLOCK_ACTIONS}
 * @param vehicleRotation in older versions with {@link Input#IN_VEHICLE}, as the vehicle's unique
 *     id
 * @param analogue {@code move} before the client limits it
 * @param camera direction of the camera, a unit vector, in newer versions
 * @param rawMove {@code move} from the device, in newer versions
 */
public record PlayerAuthInput(
        Vec2f rotation,
        Vec3f position,
        Vec2f move,
        float headYaw,
        long input,
        int inputHigh,
        Bytes inputOrder,
        int inputMode,
        int playMode,
        int interaction,
        Vec2f interactRotation,
        Vec3f gaze,
        long tick,
        Vec3f delta,
        boolean itemUse,
        boolean stackRequest,
        Bytes unread,
        List<BlockAction> blockActions,
        Optional<Vec2f> vehicleRotation,
        Optional<Long> vehicleId,
        Vec2f analogue,
        Vec3f camera,
        Vec2f rawMove)
        implements BedrockMessage {
    public static final PlayerAuthInput BLANK =
            new PlayerAuthInput(
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    Vec2f.ZERO,
                    0,
                    0,
                    0,
                    Bytes.EMPTY,
                    0,
                    0,
                    0,
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    0,
                    Vec3f.ZERO,
                    false,
                    false,
                    Bytes.EMPTY,
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    Vec2f.ZERO);

    /** Bits of the inputs that concern movement. */
    public static final class Input {
        public static final long JUMPING = 1L << 6;
        public static final long SNEAKING = 1L << 8;
        public static final long UP = 1L << 10;
        public static final long DOWN = 1L << 11;
        public static final long LEFT = 1L << 12;
        public static final long RIGHT = 1L << 13;
        public static final long SPRINTING = 1L << 20;
        public static final long START_SPRINTING = 1L << 25;
        public static final long STOP_SPRINTING = 1L << 26;
        public static final long START_SNEAKING = 1L << 27;
        public static final long STOP_SNEAKING = 1L << 28;
        public static final long START_SWIMMING = 1L << 29;
        public static final long STOP_SWIMMING = 1L << 30;
        public static final long START_JUMPING = 1L << 31;
        public static final long ITEM_INTERACTION = 1L << 34;
        public static final long BLOCK_ACTIONS = 1L << 35;
        public static final long ITEM_STACK_REQUEST = 1L << 36;
        public static final long HANDLED_TELEPORT = 1L << 37;
        public static final long START_FLYING = 1L << 42;
        public static final long STOP_FLYING = 1L << 43;
        public static final long RECEIVED_SERVER_DATA = 1L << 44;
        public static final long IN_VEHICLE = 1L << 45;
        public static final long BLOCK_BREAKING_DELAY = 1L << 48;
        public static final long HORIZONTAL_COLLISION = 1L << 49;
        public static final long VERTICAL_COLLISION = 1L << 50;

        /** The inputs by which a client reports collisions, in versions that have them. */
        public static final long COLLISIONS = HORIZONTAL_COLLISION | VERTICAL_COLLISION;

        private Input() {}
    }

    /**
     * An action on a block.
     *
     * @param position in older versions only with actions that have a position, as {@code face}
     */
    public record BlockAction(int action, BlockPos position, int face) {
        static final BlockAction BLANK = new BlockAction(5, BlockPos.ZERO, 0);

        static BlockAction wire(Wire w, BlockAction m, Dialect d) {
            int action = Encoding.varint(w, "action", m.action);
            boolean placed = d.has(ProtocolChange.INPUT_LIST) || isPlaced(action);
            return new BlockAction(
                    action,
                    placed ? BlockPos.wire(w, "position", m.position) : BlockPos.ZERO,
                    placed ? Encoding.varint(w, "face", m.face) : 0);
        }

        private static boolean isPlaced(int action) {
            return switch (action) {
                case 0, 1, 18, 26, 27 -> true;
                default -> false;
            };
        }
    }

    /** A set of inputs, more than a long has bits. */
    private record Inputs(long low, int high, Bytes order) {
        private static final int WHOLE_BYTES = 9;
        private static final int LAST = 65;

        static Inputs wire(Wire w, Inputs m, Dialect d) {
            if (d.has(ProtocolChange.INPUT_LIST)) {
                boolean listed = d.has(ProtocolChange.INPUT_PRESENCE_ONCE) || w.bool("input", true);
                return listed ? wireList(w, m) : new Inputs(0, 0, Bytes.EMPTY);
            }
            return wireSet(w, m);
        }

        /** A set of 65 bits: 7 a byte, the lowest first. */
        private static Inputs wireSet(Wire w, Inputs m) {
            w.begin("input");
            long low = 0;
            int top = (int) (m.low >>> 63) | (m.high & 1) << 1;
            boolean more = true;
            for (int i = 0; i < WHOLE_BYTES && more; i++) {
                int group = (int) (m.low >>> 7 * i) & 0x7F;
                boolean last = top == 0 && (m.low << 1 >>> 1) >>> 7 * i < 0x80;
                int b = w.u8("input", last ? group : group | 0x80);
                low |= (b & 0x7FL) << 7 * i;
                more = b >= 0x80;
            }
            if (more) {
                top = w.bounded("input", w.u8("input", top), 3);
                low |= (top & 1L) << 63;
            } else {
                top = 0;
            }
            if (w.tracing()) {
                w.end(number(low, top >> 1));
            }
            return new Inputs(low, top >> 1, Bytes.EMPTY);
        }

        /** The numbers of the inputs that are set, in any order. */
        private static Inputs wireList(Wire w, Inputs m) {
            w.begin("input");
            int set = Long.bitCount(m.low) + Integer.bitCount(m.high);
            int count = Encoding.count(w, "input", set, LAST + 1);
            byte[] order = new byte[count];
            long low = 0;
            int high = 0;
            int before = -1;
            boolean ascending = true;
            for (int i = 0; i < count; i++) {
                int next = w.reading() ? 0 : m.next(i, before);
                int number = w.bounded("input", Encoding.varint(w, "input", next), LAST);
                long bit = number < Long.SIZE ? 1L << number : 0;
                int highBit = number < Long.SIZE ? 0 : 1 << number - Long.SIZE;
                if ((low & bit) != 0 || (high & highBit) != 0) {
                    throw w.malformed("input", "names " + number + " twice");
                }
                low |= bit;
                high |= highBit;
                ascending &= number > before;
                before = number;
                order[i] = (byte) number;
            }
            if (w.tracing()) {
                w.end(number(low, high));
            }
            return new Inputs(low, high, ascending ? Bytes.EMPTY : Bytes.wrap(order));
        }

        /** The number to write at an index, after another. */
        private int next(int place, int before) {
            if (order.length() > 0) {
                return order.get(place);
            }
            int from = before + 1;
            long rest = from < Long.SIZE ? low >>> from << from : 0;
            return rest != 0
                    ? Long.numberOfTrailingZeros(rest)
                    : Long.SIZE
                            + Integer.numberOfTrailingZeros(
                                    high
                                            >>> Math.max(0, from - Long.SIZE)
                                            << Math.max(0, from - Long.SIZE));
        }
    }

    /** Maximum number of block actions of one tick. */
    static final int MAX_BLOCK_ACTIONS = 100;

    /** The play mode with {@code gaze} in older versions. */
    public static final int REALITY = 4;

    /** Whether all that follows the delta is unread. */
    public boolean isUnread() {
        return itemUse || stackRequest;
    }

    /** All inputs as one number; bits 64 and 65 exist in newer versions. */
    public BigInteger inputs() {
        return number(input, inputHigh);
    }

    private static BigInteger number(long low, int high) {
        return BigInteger.valueOf(high)
                .shiftLeft(Long.SIZE)
                .or(new BigInteger(Long.toUnsignedString(low)));
    }

    /** Whether the player rides a vehicle. */
    public boolean isRiding() {
        return vehicleId.isPresent() || (input & Input.IN_VEHICLE) != 0;
    }

    public static PlayerAuthInput wire(Wire w, PlayerAuthInput m, Dialect d) {
        boolean listed = d.has(ProtocolChange.INPUT_LIST);
        boolean camera = d.has(ProtocolChange.INPUT_CAMERA);
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation);
        Vec3f position = Vec3f.wire(w, "position", m.position);
        Vec2f move = Vec2f.wire(w, "move", m.move);
        float headYaw = w.f32le("head yaw", m.headYaw);
        Inputs inputs =
                d.has(ProtocolChange.INPUT_RAW)
                        ? Inputs.wire(w, new Inputs(m.input, m.inputHigh, m.inputOrder), d)
                        : new Inputs(Encoding.uvarlong(w, "input", m.input), 0, Bytes.EMPTY);
        long input = inputs.low;
        int inputMode = Encoding.uvarint(w, "input mode", m.inputMode);
        int playMode = Encoding.uvarint(w, "play mode", m.playMode);
        int interaction =
                listed
                        ? Encoding.varint(w, "interaction", m.interaction)
                        : Encoding.uvarint(w, "interaction", m.interaction);
        Vec2f interactRotation =
                camera ? Vec2f.wire(w, "interact rotation", m.interactRotation) : Vec2f.ZERO;
        Vec3f gaze = !camera && playMode == REALITY ? Vec3f.wire(w, "gaze", m.gaze) : Vec3f.ZERO;
        long tick = Encoding.uvarlong(w, "tick", m.tick);
        Vec3f delta = Vec3f.wire(w, "delta", m.delta);
        boolean itemUse =
                listed
                        ? isThere(w, "item use", m.itemUse, d)
                        : (input & Input.ITEM_INTERACTION) != 0;
        boolean stackRequest =
                listed
                        ? !itemUse && isThere(w, "stack request", m.stackRequest, d)
                        : (input & Input.ITEM_STACK_REQUEST) != 0;
        boolean skipping = itemUse || stackRequest;
        Bytes unread = skipping ? w.rest("unread", m.unread, MAX_BYTES) : Bytes.EMPTY;
        List<BlockAction> blockActions = skipping ? List.of() : blockActions(w, m, input, d);
        boolean riding = !skipping && !listed && (input & Input.IN_VEHICLE) != 0;
        boolean turning =
                riding
                        || !skipping
                                && listed
                                && isThere(w, "vehicle", m.vehicleRotation.isPresent(), d);
        Optional<Vec2f> vehicleRotation =
                turning
                        ? Optional.of(
                                Vec2f.wire(
                                        w,
                                        "vehicle rotation",
                                        m.vehicleRotation.orElse(Vec2f.ZERO)))
                        : Optional.empty();
        boolean driving =
                riding
                        || !skipping
                                && listed
                                && isThere(w, "vehicle id", m.vehicleId.isPresent(), d);
        Optional<Long> vehicleId =
                driving
                        ? Optional.of(Encoding.varlong(w, "vehicle id", m.vehicleId.orElse(0L)))
                        : Optional.empty();
        return new PlayerAuthInput(
                rotation,
                position,
                move,
                headYaw,
                input,
                inputs.high,
                inputs.order,
                inputMode,
                playMode,
                interaction,
                interactRotation,
                gaze,
                tick,
                delta,
                itemUse,
                stackRequest,
                unread,
                blockActions,
                vehicleRotation,
                vehicleId,
                skipping ? Vec2f.ZERO : Vec2f.wire(w, "analogue", m.analogue),
                skipping || !camera ? Vec3f.ZERO : Vec3f.wire(w, "camera", m.camera),
                skipping || !d.has(ProtocolChange.INPUT_RAW)
                        ? Vec2f.ZERO
                        : Vec2f.wire(w, "raw move", m.rawMove));
    }

    /**
     * Whether a part is present. Some versions have two flags, of which the first is always set.
     */
    private static boolean isThere(Wire w, String name, boolean there, Dialect d) {
        return (d.has(ProtocolChange.INPUT_PRESENCE_ONCE) || w.bool(name, true))
                && w.bool(name, there);
    }

    private static List<BlockAction> blockActions(
            Wire w, PlayerAuthInput m, long input, Dialect d) {
        boolean listed = d.has(ProtocolChange.INPUT_LIST);
        boolean acting =
                listed
                        ? isThere(w, "block actions", !m.blockActions.isEmpty(), d)
                        : (input & Input.BLOCK_ACTIONS) != 0;
        if (!acting) {
            return List.of();
        }
        int size = m.blockActions.size();
        int count =
                listed
                        ? Encoding.uvarint(w, "block actions", size)
                        : Encoding.varint(w, "block actions", size);
        return Encoding.items(
                w,
                "block actions",
                m.blockActions,
                w.bounded("block actions", count, MAX_BLOCK_ACTIONS),
                BlockAction.BLANK,
                (wire, action) -> BlockAction.wire(wire, action, d));
    }
}
