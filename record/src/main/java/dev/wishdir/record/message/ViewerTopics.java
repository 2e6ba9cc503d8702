package dev.wishdir.record.message;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Timestamp;

import dev.wishdir.arena.event.Player;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.foxglove.Color;
import dev.wishdir.record.foxglove.CylinderPrimitive;
import dev.wishdir.record.foxglove.FrameTransform;
import dev.wishdir.record.foxglove.FrameTransforms;
import dev.wishdir.record.foxglove.PackedElementField;
import dev.wishdir.record.foxglove.PackedElementField.NumericType;
import dev.wishdir.record.foxglove.PointCloud;
import dev.wishdir.record.foxglove.Pose;
import dev.wishdir.record.foxglove.Quaternion;
import dev.wishdir.record.foxglove.SceneEntity;
import dev.wishdir.record.foxglove.SceneEntityDeletion;
import dev.wishdir.record.foxglove.SceneUpdate;
import dev.wishdir.record.foxglove.TextPrimitive;
import dev.wishdir.record.foxglove.Vector3;
import dev.wishdir.record.mcap.McapWriter;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Topics that 3D viewers draw without settings, for a file that has the topics of a recording.
 * {@code /points} is a point for each body (Rerun draws it), {@code /tf} and {@code /bodies} are a
 * frame for each body, and a cylinder with a name in it (Foxglove).
 */
public final class ViewerTopics {
    /** Interval between two moments that are written. */
    static final long INTERVAL_NANOS = 50_000_000;

    private static final String ARENA_FRAME = "arena";
    private static final double BODY_WIDTH_METRES = 0.8;
    private static final double BODY_HEIGHT_METRES = 1.8;
    private static final double NAME_METRES = 0.3;
    private static final int POINT_BYTES = 16;

    private enum Channel {
        POINTS("/points", PointCloud.getDescriptor()),
        FRAMES("/tf", FrameTransforms.getDescriptor()),
        BODIES("/bodies", SceneUpdate.getDescriptor());

        private final String topic;
        private final Descriptor descriptor;

        Channel(String topic, Descriptor descriptor) {
            this.topic = topic;
            this.descriptor = descriptor;
        }

        int id() {
            return Topic.values().length + ordinal();
        }
    }

    private static final List<PackedElementField> POINT_FIELDS =
            List.of(
                    field("x", 0, NumericType.FLOAT32),
                    field("y", 4, NumericType.FLOAT32),
                    field("z", 8, NumericType.FLOAT32),
                    field("red", 12, NumericType.UINT8),
                    field("green", 13, NumericType.UINT8),
                    field("blue", 14, NumericType.UINT8),
                    field("alpha", 15, NumericType.UINT8));

    /** The bodies that the last {@code /bodies} has, by id, with their names. */
    private Map<String, String> bodies = Map.of();

    /** Time of the next moment; none before the first event. */
    private OptionalLong due = OptionalLong.empty();

    /**
     * Adds schemas and channels.
     *
     * @param file with the topics of a recording, and nothing else
     */
    public static void addTo(McapWriter file) throws IOException {
        for (Channel channel : Channel.values()) {
            Set<FileDescriptor> files = new LinkedHashSet<>();
            addWithImports(channel.descriptor.getFile(), files);
            FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
            files.forEach(each -> set.addFile(each.toProto()));
            int schema =
                    file.addSchema(
                            channel.descriptor.getFullName(),
                            Topic.ENCODING,
                            set.build().toByteArray());
            int id = file.addChannel(schema, channel.topic, Topic.ENCODING, Map.of());
            if (id != channel.id()) {
                throw new IllegalStateException("the file has other channels: " + id);
            }
        }
    }

    private static void addWithImports(FileDescriptor file, Set<FileDescriptor> files) {
        file.getDependencies().forEach(each -> addWithImports(each, files));
        files.add(file);
    }

    private static PackedElementField field(String name, int offset, NumericType type) {
        return PackedElementField.newBuilder()
                .setName(name)
                .setOffset(offset)
                .setType(type)
                .build();
    }

    /** Forgets what was written: a new file begins, or messages were lost. */
    void restart() {
        bodies = Map.of();
    }

    /**
     * Whether a moment is due before an event.
     *
     * @param eventNanos time of the event, nanoseconds since 1970
     */
    boolean isDue(long eventNanos) {
        if (due.isEmpty()) {
            due = OptionalLong.of(wholeMicros(eventNanos));
        }
        return wholeMicros(eventNanos) > due.getAsLong();
    }

    /** As the times of a recording are. */
    private static long wholeMicros(long nanos) {
        return nanos - Math.floorMod(nanos, 1000L);
    }

    /**
     * Appends the messages of the moment that {@link #isDue is due} before an event.
     *
     * @param players all players before the event; those without a body are left out
     */
    void append(long eventNanos, Collection<Player> players, MessageOutput output) {
        long timeNanos = due.orElse(eventNanos);
        long next = timeNanos + INTERVAL_NANOS;
        // After a pause there are no moments without an event between them.
        due = OptionalLong.of(Math.max(next, wholeMicros(eventNanos)));
        List<Player> shown = players.stream().filter(Player::spawned).toList();
        Timestamp time =
                Timestamp.newBuilder()
                        .setSeconds(TimeUnit.NANOSECONDS.toSeconds(timeNanos))
                        .setNanos((int) (timeNanos % TimeUnit.SECONDS.toNanos(1)))
                        .build();
        add(Channel.POINTS, timeNanos, points(time, shown), output);
        FrameTransforms.Builder frames = FrameTransforms.newBuilder();
        shown.forEach(player -> frames.addTransforms(frame(time, player)));
        add(Channel.FRAMES, timeNanos, frames.build(), output);
        Map<String, String> names = new LinkedHashMap<>();
        shown.forEach(player -> names.put(frameId(player), player.name()));
        if (!names.equals(bodies)) {
            add(Channel.BODIES, timeNanos, scene(time, shown, names), output);
            bodies = names;
        }
    }

    private static void add(Channel channel, long time, MessageLite message, MessageOutput output) {
        byte[] data = message.toByteArray();
        output.add(channel.id(), time, data, 0, data.length);
    }

    private static String frameId(Player player) {
        return "player/" + player.id();
    }

    private static PointCloud points(Timestamp time, List<Player> players) {
        ByteBuffer data =
                ByteBuffer.allocate(POINT_BYTES * players.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (Player player : players) {
            Vec3 at = player.movement().position();
            data.putFloat((float) at.x())
                    .putFloat((float) at.y())
                    .putFloat((float) (at.z() + BODY_HEIGHT_METRES / 2))
                    .put(ByteBuffer.allocate(4).putInt(rgb(player) << 8 | 0xFF).flip());
        }
        return PointCloud.newBuilder()
                .setTimestamp(time)
                .setFrameId(ARENA_FRAME)
                .setPose(pose(0))
                .setPointStride(POINT_BYTES)
                .addAllFields(POINT_FIELDS)
                .setData(ByteString.copyFrom(data.flip()))
                .build();
    }

    private static FrameTransform frame(Timestamp time, Player player) {
        Movement movement = player.movement();
        Vec3 at = movement.position();
        double half = Math.toRadians(movement.yaw()) / 2;
        return FrameTransform.newBuilder()
                .setTimestamp(time)
                .setParentFrameId(ARENA_FRAME)
                .setChildFrameId(frameId(player))
                .setTranslation(Vector3.newBuilder().setX(at.x()).setY(at.y()).setZ(at.z()))
                .setRotation(Quaternion.newBuilder().setZ(Math.sin(half)).setW(Math.cos(half)))
                .build();
    }

    /** All bodies, as a viewer that jumps to this time may have seen none of them. */
    private SceneUpdate scene(Timestamp time, List<Player> players, Map<String, String> names) {
        SceneUpdate.Builder scene = SceneUpdate.newBuilder();
        List<String> gone = new ArrayList<>(bodies.keySet());
        gone.removeAll(names.keySet());
        for (String id : gone) {
            scene.addDeletions(
                    SceneEntityDeletion.newBuilder()
                            .setTimestamp(time)
                            .setType(SceneEntityDeletion.Type.MATCHING_ID)
                            .setId(id));
        }
        for (Player player : players) {
            Color color = color(player);
            scene.addEntities(
                    SceneEntity.newBuilder()
                            .setTimestamp(time)
                            .setFrameId(frameId(player))
                            .setId(frameId(player))
                            .setLifetime(Duration.getDefaultInstance())
                            .setFrameLocked(true)
                            .addCylinders(
                                    CylinderPrimitive.newBuilder()
                                            .setPose(pose(BODY_HEIGHT_METRES / 2))
                                            .setSize(
                                                    Vector3.newBuilder()
                                                            .setX(BODY_WIDTH_METRES)
                                                            .setY(BODY_WIDTH_METRES)
                                                            .setZ(BODY_HEIGHT_METRES))
                                            .setBottomScale(1)
                                            .setTopScale(1)
                                            .setColor(color))
                            .addTexts(
                                    TextPrimitive.newBuilder()
                                            .setPose(pose(BODY_HEIGHT_METRES + NAME_METRES))
                                            .setBillboard(true)
                                            .setFontSize(NAME_METRES)
                                            .setColor(color)
                                            .setText(player.name())));
        }
        return scene.build();
    }

    private static Pose pose(double height) {
        return Pose.newBuilder()
                .setPosition(Vector3.newBuilder().setZ(height))
                .setOrientation(Quaternion.newBuilder().setW(1))
                .build();
    }

    private static Color color(Player player) {
        int rgb = rgb(player);
        return Color.newBuilder()
                .setR((rgb >> 16) / 255.0)
                .setG((rgb >> 8 & 0xFF) / 255.0)
                .setB((rgb & 0xFF) / 255.0)
                .setA(1)
                .build();
    }

    /** A bright colour for each game, whichever games there are. */
    private static int rgb(Player player) {
        float hue = Math.floorMod(player.game().hashCode(), 360) / 360f;
        return hueColour(hue);
    }

    private static int hueColour(float hue) {
        int rgb = 0;
        for (int part = 0; part < 3; part++) {
            double distance = Math.abs((hue * 6 + 6 - 2 * part) % 6 - 3);
            rgb = rgb << 8 | (int) (80 + 175 * Math.clamp(distance - 1, 0, 1));
        }
        return rgb;
    }
}
