package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * What a client's player did in one tick and where that brought it, sent every tick where the
 * server decides (authority 2) or the client shows its inputs (1).
 *
 * @param rotation pitch and yaw, degrees, at the start of the tick
 * @param position of the eyes, metres, as the client predicts the end of the tick
 * @param move to the left and forwards, -1..1, along the yaw
 * @param input the set of {@link Input}s, a bit each; bit 64 of later versions is {@code sneakRaw}
 * @param sneakRaw the highest input of versions from 766 on
 * @param inputMode 1 mouse, 2 touch, 3 gamepad, 4 motion controller
 * @param playMode 0 normal, 4 reality
 * @param interaction 0 touch, 1 crosshair, 2 classic
 * @param interactRotation pitch and yaw of the pointer; in versions before 748 the gaze
 * @param tick counts the client's inputs, from the server's time at the start of the game
 * @param delta velocity at the end of the tick, metres a tick
 * @param blockActions with {@link Input#BLOCK_ACTIONS} alone
 * @param vehicleRotation with {@link Input#IN_VEHICLE} alone, as the vehicle's unique id
 * @param analogue as {@code move}, before the client limits it
 * @param camera where the camera looks, a unit vector
 * @param rawMove from 766 on: as {@code move}, as the device gave it
 * @param unread where the inputs bring an item's use or a request for items, all that follows the
 *     delta: it holds nothing about movement
 */
public record PlayerAuthInput(
        Vec2f rotation,
        Vec3f position,
        Vec2f move,
        float headYaw,
        long input,
        boolean sneakRaw,
        int inputMode,
        int playMode,
        int interaction,
        Vec2f interactRotation,
        Vec3f gaze,
        long tick,
        Vec3f delta,
        List<BlockAction> blockActions,
        Vec2f vehicleRotation,
        long vehicleId,
        Vec2f analogue,
        Vec3f camera,
        Vec2f rawMove,
        Bytes unread)
        implements BedrockMessage {
    public static final PlayerAuthInput BLANK =
            new PlayerAuthInput(
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    Vec2f.ZERO,
                    0,
                    0,
                    false,
                    0,
                    0,
                    0,
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    0,
                    Vec3f.ZERO,
                    List.of(),
                    Vec2f.ZERO,
                    0,
                    Vec2f.ZERO,
                    Vec3f.ZERO,
                    Vec2f.ZERO,
                    Bytes.EMPTY);

    /** The inputs that matter to movement, by their bits. */
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

        private Input() {}
    }

    /**
     * Something done to a block.
     *
     * @param position with the actions that have a place alone, as the face
     */
    public record BlockAction(int action, BlockPos position, int face) {
        static final BlockAction BLANK = new BlockAction(5, BlockPos.ZERO, 0);

        static BlockAction wire(Wire w, BlockAction m) {
            int action = Encoding.varint(w, "action", m.action);
            boolean placed =
                    switch (action) {
                        case 0, 1, 18, 26, 27 -> true;
                        default -> false;
                    };
            return new BlockAction(
                    action,
                    placed ? BlockPos.wire(w, "position", m.position) : BlockPos.ZERO,
                    placed ? Encoding.varint(w, "face", m.face) : 0);
        }
    }

    /** The 65 inputs of versions from 766 on: seven bits a byte, low ones first. */
    private record Inputs(long low, boolean highest) {
        private static final int WHOLE_BYTES = 9;

        static Inputs wire(Wire w, Inputs m) {
            w.begin("input");
            long low = 0;
            int top = (int) (m.low >>> 63) | (m.highest ? 2 : 0);
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
            w.end(low);
            return new Inputs(low, (top & 2) != 0);
        }
    }

    /** The most block actions of one tick. */
    static final int BLOCK_ACTION_COUNT = 100;

    private static final long SKIPPING = Input.ITEM_INTERACTION | Input.ITEM_STACK_REQUEST;
    private static final int REALITY = 4;

    /** As protocol 748 has it. */
    public static PlayerAuthInput wire(Wire w, PlayerAuthInput m) {
        return walk(w, m, 748);
    }

    /** As the versions before 748 have it. */
    public static PlayerAuthInput wireBefore748(Wire w, PlayerAuthInput m) {
        return walk(w, m, 729);
    }

    /** As the versions from 766 on have it. */
    public static PlayerAuthInput wireFrom766(Wire w, PlayerAuthInput m) {
        return walk(w, m, 766);
    }

    private static PlayerAuthInput walk(Wire w, PlayerAuthInput m, int version) {
        Vec2f rotation = Vec2f.wire(w, "rotation", m.rotation);
        Vec3f position = Vec3f.wire(w, "position", m.position);
        Vec2f move = Vec2f.wire(w, "move", m.move);
        float headYaw = w.f32le("head yaw", m.headYaw);
        Inputs inputs =
                version >= 766
                        ? Inputs.wire(w, new Inputs(m.input, m.sneakRaw))
                        : new Inputs(Encoding.uvarlong(w, "input", m.input), false);
        long input = inputs.low;
        int inputMode = Encoding.uvarint(w, "input mode", m.inputMode);
        int playMode = Encoding.uvarint(w, "play mode", m.playMode);
        int interaction = Encoding.uvarint(w, "interaction", m.interaction);
        Vec2f interactRotation =
                version >= 748
                        ? Vec2f.wire(w, "interact rotation", m.interactRotation)
                        : Vec2f.ZERO;
        Vec3f gaze =
                version < 748 && playMode == REALITY ? Vec3f.wire(w, "gaze", m.gaze) : Vec3f.ZERO;
        long tick = Encoding.uvarlong(w, "tick", m.tick);
        Vec3f delta = Vec3f.wire(w, "delta", m.delta);
        boolean skipping = (input & SKIPPING) != 0;
        Bytes unread = skipping ? w.rest("unread", m.unread, LARGEST) : Bytes.EMPTY;
        List<BlockAction> blockActions =
                !skipping && (input & Input.BLOCK_ACTIONS) != 0 ? blockActions(w, m) : List.of();
        boolean riding = !skipping && (input & Input.IN_VEHICLE) != 0;
        Vec2f vehicleRotation =
                riding ? Vec2f.wire(w, "vehicle rotation", m.vehicleRotation) : Vec2f.ZERO;
        long vehicleId = riding ? Encoding.varlong(w, "vehicle id", m.vehicleId) : 0;
        Vec2f analogue = skipping ? Vec2f.ZERO : Vec2f.wire(w, "analogue", m.analogue);
        Vec3f camera = skipping || version < 748 ? Vec3f.ZERO : Vec3f.wire(w, "camera", m.camera);
        Vec2f rawMove =
                skipping || version < 766 ? Vec2f.ZERO : Vec2f.wire(w, "raw move", m.rawMove);
        return new PlayerAuthInput(
                rotation,
                position,
                move,
                headYaw,
                input,
                inputs.highest,
                inputMode,
                playMode,
                interaction,
                interactRotation,
                gaze,
                tick,
                delta,
                blockActions,
                vehicleRotation,
                vehicleId,
                analogue,
                camera,
                rawMove,
                unread);
    }

    private static List<BlockAction> blockActions(Wire w, PlayerAuthInput m) {
        int count = Encoding.varint(w, "block actions", m.blockActions.size());
        return Encoding.items(
                w,
                "block actions",
                m.blockActions,
                w.bounded("block actions", count, BLOCK_ACTION_COUNT),
                BlockAction.BLANK,
                BlockAction::wire);
    }
}
