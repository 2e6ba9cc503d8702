package dev.wishdir.record.message;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;

import dev.wishdir.record.mcap.McapWriter;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Flags;
import dev.wishdir.record.v1.Moves;
import dev.wishdir.record.v1.Snapshot;

import java.io.IOException;
import java.util.Map;

/** The topics of a recording. Each has one channel, whose id is the topic's {@link #channel}. */
public enum Topic {
    MOVES("/moves", Moves.getDescriptor()),
    EVENTS("/events", Event.getDescriptor()),
    SNAPSHOT("/snapshot", Snapshot.getDescriptor()),
    FLAGS("/flags", Flags.getDescriptor());

    /** Encoding of schemas and messages, as MCAP's registry names it. */
    public static final String ENCODING = "protobuf";

    private final String title;
    private final Descriptor descriptor;

    Topic(String title, Descriptor descriptor) {
        this.title = title;
        this.descriptor = descriptor;
    }

    public String title() {
        return title;
    }

    /** The name of its message type. */
    public String schema() {
        return descriptor.getFullName();
    }

    /** Its channel in files that this library writes. */
    public int channel() {
        return ordinal();
    }

    /** Adds schemas and channels to a file that has none yet. */
    public static void addTo(McapWriter file) throws IOException {
        for (Topic topic : values()) {
            byte[] descriptors =
                    FileDescriptorSet.newBuilder()
                            .addFile(topic.descriptor.getFile().toProto())
                            .build()
                            .toByteArray();
            int schema = file.addSchema(topic.schema(), ENCODING, descriptors);
            int channel = file.addChannel(schema, topic.title, ENCODING, Map.of());
            if (channel != topic.channel()) {
                throw new IllegalStateException("the file has channels already: " + channel);
            }
        }
    }
}
