package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class ReplayOptionsTest {
    @Command(name = "serve")
    private static final class Serve implements Runnable {
        @Mixin private ReplayOptions options = new ReplayOptions();

        @Override
        public void run() {
            options.check();
        }
    }

    private static ReplayOptions read(String... arguments) {
        Serve serve = new Serve();
        new CommandLine(serve).parseArgs(arguments);
        serve.options.check();
        return serve.options;
    }

    @Test
    void opensNothingByDefault() throws IOException {
        assertThat(read().open()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--replay a --follow b | --replay and --follow exclude each other",
                "--follow b --delay 1.5 | --delay must be from 2 to 86400 seconds, is 1.5",
                "--follow https://a:secret@h/x.mcap | --follow reads files, not URLs: copy the"
                        + " recording into a folder (wget -c URL, repeated while it grows) and give"
                        + " --follow FOLDER, or record on a node of the cluster",
                "--replay HTTP://h/x.mcap,loop | --replay reads files, not URLs: copy the"
                        + " recording into a folder (wget -c URL, repeated while it grows) and give"
                        + " --follow FOLDER, or record on a node of the cluster",
                "--replay a,speed=20 | --replay: the speed must be from 0.125 to 8, is 20.0",
                "--replay a,from=x | --replay: 'x' is not a time: give seconds as 90.5, or minutes"
                        + " as 1:30"
            })
    void refusesInvalidValues(String arguments, String problem) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> read(arguments.split(" ")))
                .withMessage(problem);
    }

    @Test
    void namesTheOptionOfAnUnreadableFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("no.mcap"), "not a recording");
        for (String option : new String[] {"--replay", "--follow"}) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> read(option, file.toString()).open())
                    .withMessageStartingWith(option + ": cannot read " + file + ": ");
        }
    }
}
