package dev.wishdir.record.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.foxglove.FrameTransform;
import dev.wishdir.record.foxglove.FrameTransforms;
import dev.wishdir.record.foxglove.PointCloud;
import dev.wishdir.record.foxglove.SceneUpdate;
import dev.wishdir.record.mcap.Channel;
import dev.wishdir.record.mcap.McapReader;
import dev.wishdir.record.mcap.MessageCursor;
import dev.wishdir.record.mcap.Schema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

class ViewerTopicsTest {
    private static final Instant START = Instant.parse("2026-11-25T12:00:00Z");

    @TempDir Path folder;

    private Path write() throws Exception {
        Path file = folder.resolve("viewer.mcap");
        RecordingInfo info = new RecordingInfo("test", "server", "hall", START);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        info,
                        Optional.empty(),
                        new RecordingOptions(true, true, true, true))) {
            RecordingGenerator.generate(3, START, 8, 2_000, writer);
        }
        return file;
    }

    private static byte[] data(MessageCursor cursor) {
        return Arrays.copyOfRange(
                cursor.buffer(), cursor.offset(), cursor.offset() + cursor.length());
    }

    @Test
    void showsEachBodyWhereItIs() throws Exception {
        Path file = write();
        try (McapReader reader = McapReader.open(file);
                Recording recording = Recording.open(file)) {
            Map<Integer, String> topics =
                    reader.channels().stream()
                            .collect(Collectors.toMap(Channel::id, Channel::topic));
            Set<String> bodies = new HashSet<>();
            int clouds = 0;
            int scenes = 0;
            long last = 0;
            MessageCursor cursor = reader.messages(0, Long.MAX_VALUE, topics.keySet());
            while (cursor.next()) {
                Map<String, Player> expected = new LinkedHashMap<>();
                String topic = topics.getOrDefault(cursor.channel(), "");
                if (!Set.of("/points", "/tf", "/bodies").contains(topic)) {
                    continue;
                }
                recording
                        .stateAt(cursor.logTimeNanos())
                        .players()
                        .forEach((id, player) -> expected.put("player/" + id, player));
                expected.values().removeIf(player -> !player.spawned());
                switch (topic) {
                    case "/points" -> {
                        PointCloud cloud = PointCloud.parseFrom(data(cursor));
                        assertThat(cursor.logTimeNanos() - last)
                                .isGreaterThanOrEqualTo(ViewerTopics.INTERVAL_NANOS);
                        last = cursor.logTimeNanos();
                        assertThat(cloud.getData().size())
                                .isEqualTo(expected.size() * cloud.getPointStride());
                        clouds++;
                        if (!expected.isEmpty()) {
                            float x =
                                    cloud.getData()
                                            .asReadOnlyByteBuffer()
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .getFloat(0);
                            assertThat(expected.values())
                                    .anyMatch(player ->
                                            Math.abs(player.movement().position().x() - x) < 0.01);
                        }
                    }
                    case "/tf" -> {
                        List<FrameTransform> frames =
                                FrameTransforms.parseFrom(data(cursor)).getTransformsList();
                        assertThat(frames).hasSameSizeAs(expected.keySet());
                        for (FrameTransform frame : frames) {
                            Player player = requireNonNull(expected.get(frame.getChildFrameId()));
                            assertThat(frame.getTranslation().getY())
                                    .isCloseTo(player.movement().position().y(), within(0.001));
                        }
                    }
                    default -> {
                        SceneUpdate scene = SceneUpdate.parseFrom(data(cursor));
                        scene.getDeletionsList().forEach(each -> bodies.remove(each.getId()));
                        scene.getEntitiesList().forEach(each -> bodies.add(each.getId()));
                        assertThat(bodies).isEqualTo(expected.keySet());
                        assertThat(scene.getEntitiesList())
                                .allMatch(each ->
                                        each.getFrameLocked()
                                                && each.getTexts(0)
                                                        .getText()
                                                        .equals(
                                                                requireNonNull(
                                                                                expected.get(
                                                                                        each
                                                                                                .getId()))
                                                                        .name()));
                        scenes++;
                    }
                }
            }
            assertThat(clouds).isGreaterThan(100);
            assertThat(scenes).isBetween(1, 100);
        }
    }

    @Test
    void remainsRecording() throws Exception {
        int moves = 0;
        try (Recording recording = Recording.open(write())) {
            EventCursor cursor = recording.events();
            while (cursor.next()) {
                moves += cursor.event() instanceof ArenaEvent.Moved ? 1 : 0;
            }
            assertThat(cursor.skipped()).isZero();
        }
        assertThat(moves).isEqualTo(2_000);
    }

    @Test
    void carriesSchemasWithTheirImports() throws Exception {
        try (McapReader reader = McapReader.open(write())) {
            for (Schema schema : reader.schemas()) {
                Map<String, FileDescriptor> files = new LinkedHashMap<>();
                for (var file :
                        FileDescriptorSet.parseFrom(schema.data().toArray()).getFileList()) {
                    FileDescriptor[] imports =
                            file.getDependencyList().stream()
                                    .map(files::get)
                                    .toArray(FileDescriptor[]::new);
                    files.put(file.getName(), FileDescriptor.buildFrom(file, imports));
                }
                assertThat(files.values())
                        .anyMatch(file ->
                                file.getMessageTypes().stream()
                                        .anyMatch(type ->
                                                type.getFullName().equals(schema.name())
                                                        && DynamicMessage.getDefaultInstance(type)
                                                                .isInitialized()));
            }
            assertThat(reader.schemas())
                    .extracting(Schema::name)
                    .contains(
                            "foxglove.PointCloud",
                            "foxglove.FrameTransforms",
                            "foxglove.SceneUpdate");
        }
    }
}
