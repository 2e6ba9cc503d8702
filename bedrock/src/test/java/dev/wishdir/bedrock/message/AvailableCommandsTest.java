package dev.wishdir.bedrock.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.bedrock.message.AvailableCommands.Command;
import dev.wishdir.bedrock.message.AvailableCommands.Constraint;
import dev.wishdir.bedrock.message.AvailableCommands.Enumeration;
import dev.wishdir.bedrock.message.AvailableCommands.Overload;
import dev.wishdir.bedrock.message.AvailableCommands.Parameter;
import dev.wishdir.bedrock.message.AvailableCommands.SoftEnum;
import dev.wishdir.bedrock.message.AvailableCommands.Subcommand;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.WireLaws;
import dev.wishdir.wire.Writer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The list of commands, against what the npm library bedrock-protocol 3.59.0 wrote of the same list
 * in each version.
 */
class AvailableCommandsTest {
    private static final Path VECTORS =
            Path.of("src/test/resources/captures/versions/available-commands.jsonl");

    private static final AvailableCommands LIST =
            new AvailableCommands(
                    List.of("red", "green", "blue"),
                    List.of("run", "as"),
                    List.of("L"),
                    List.of(
                            new Enumeration("colour", List.of(0, 1, 2)),
                            new Enumeration("cold", List.of(2))),
                    List.of(
                            new Subcommand(
                                    "ex",
                                    List.of(
                                            new Subcommand.Value(0, 1),
                                            new Subcommand.Value(1, 300)))),
                    List.of(
                            new Command(
                                    "kick",
                                    "send somebody away",
                                    0,
                                    Command.ANY,
                                    Command.NO_ALIASES,
                                    List.of(),
                                    List.of(
                                            new Overload(
                                                    false,
                                                    List.of(
                                                            new Parameter(
                                                                    "player",
                                                                    Parameter.TARGET,
                                                                    false,
                                                                    0),
                                                            new Parameter(
                                                                    "reason",
                                                                    Parameter.TEXT,
                                                                    true,
                                                                    0))),
                                            new Overload(false, List.of()))),
                            new Command(
                                    "paint",
                                    "",
                                    5,
                                    "host",
                                    1,
                                    List.of(0),
                                    List.of(
                                            new Overload(
                                                    true,
                                                    List.of(
                                                            new Parameter(
                                                                    "colour", 0x300000, false, 64),
                                                            new Parameter(
                                                                    "soft", 0x4100000, true, 0),
                                                            new Parameter(
                                                                    "much", 0x1000000, true,
                                                                    0)))))),
                    List.of(new SoftEnum("team", List.of("a", "b"))),
                    List.of(new Constraint(2, 0, List.of(1, 2))));

    static IntStream protocols() {
        return IntStream.of(BedrockCodec.protocols());
    }

    private static Bytes vector(int protocol) throws IOException {
        JsonObject vector =
                Files.readAllLines(VECTORS).stream()
                        .map(line -> JsonParser.parseString(line).getAsJsonObject())
                        .filter(line -> line.get("protocol").getAsInt() == protocol)
                        .findFirst()
                        .orElseThrow();
        return Bytes.ofHex(vector.get("hex").getAsString());
    }

    private static Bytes written(BedrockCodec codec, BedrockMessage message) {
        Writer writer = new Writer(1 << 20);
        codec.write(writer, message);
        return Bytes.wrap(writer.toByteArray());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void readsAndWritesCommandsOfAnotherProgram(int protocol) throws IOException {
        BedrockCodec codec = BedrockCodec.of(protocol).orElseThrow();
        Reader reader = new Reader(vector(protocol));
        assertThat(codec.read(reader)).isEqualTo(LIST);
        assertThat(reader.remaining()).isZero();
        assertThat(written(codec, LIST)).isEqualTo(vector(protocol));
    }

    @ParameterizedTest
    @ValueSource(ints = {685, 860, 898, 2193})
    void holdsTheLaws(int protocol) {
        WireLaws.hold(
                LIST,
                new Unknown(0, Bytes.EMPTY),
                BedrockMessageTest.walk(BedrockCodec.of(protocol).orElseThrow()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 255, 256, 65_535, 65_536})
    void numbersValuesInMinimalWidth(int all) {
        int width = all <= 0xFF ? 1 : all <= 0xFFFF ? 2 : 4;
        AvailableCommands message = many(all, List.of());
        AvailableCommands one = many(all, List.of(all - 1));
        assertThat(written(BedrockCodec.V748, one).length())
                .isEqualTo(written(BedrockCodec.V748, message).length() + width);
        assertThat(written(BedrockCodec.NEWEST, one).length())
                .isEqualTo(written(BedrockCodec.NEWEST, message).length() + 4);
        assertThat(BedrockCodec.V748.read(new Reader(written(BedrockCodec.V748, one))))
                .isEqualTo(one);
    }

    private static AvailableCommands many(int all, List<Integer> picked) {
        return new AvailableCommands(
                Collections.nCopies(all, "v"),
                List.of(),
                List.of(),
                List.of(new Enumeration("e", picked)),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void refusesUnknownPermission() throws IOException {
        byte[] bytes = vector(748).toArray();
        int host = 0;
        byte[] before = {5, 'p', 'a', 'i', 'n', 't', 0, 5, 0};
        while (!Bytes.wrap(Arrays.copyOfRange(bytes, host, host + before.length))
                .equals(Bytes.wrap(before))) {
            host++;
        }
        bytes[host + before.length] = 6;
        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> BedrockCodec.V748.read(new Reader(bytes)))
                .withMessageContaining("permission");
    }
}
