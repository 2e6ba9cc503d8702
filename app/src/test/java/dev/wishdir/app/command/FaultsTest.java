package dev.wishdir.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.net.simulation.LinkConditions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class FaultsTest {
    private static final long MILLI = 1_000_000;

    @Command
    private static final class Options {
        @Mixin private final FaultOptions faults = new FaultOptions();
    }

    private static Faults parsed(String... arguments) {
        Options options = new Options();
        CommandLine line = new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true);
        line.parseArgs(arguments);
        return options.faults.faults();
    }

    @Test
    void areNoneWithoutOptions() {
        assertThat(parsed().isAny()).isFalse();
        assertThat(parsed().up()).isEqualTo(LinkConditions.NONE);
        assertThat(parsed()).hasToString("up off; down off");
    }

    @Test
    void holdForBothDirectionsUnlessOneIsNamed() {
        Faults faults =
                parsed(
                        "--loss",
                        "5",
                        "--delay",
                        "40",
                        "--jitter",
                        "2.5",
                        "--duplicate",
                        "1",
                        "--reorder",
                        "3",
                        "--rate",
                        "64",
                        "--up",
                        "loss=10,delay=0",
                        "--down",
                        "rate=0");
        assertThat(faults.up())
                .isEqualTo(new LinkConditions(0.1, 0.01, 0.03, 0, 2_500_000, 64_000));
        assertThat(faults.down())
                .isEqualTo(new LinkConditions(0.05, 0.01, 0.03, 40 * MILLI, 2_500_000, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "--loss=101, loss must be from 0 to 100 percent",
        "--loss=-1, loss must be from 0 to 100 percent",
        "--loss=NaN, loss must be from 0 to 100 percent",
        "--delay=10001, delay must be from 0 to 10000 milliseconds",
        "--up=rate=-5, rate must be from 0 to 1000000 KB/s",
        "--reorder=5, reorder needs delay or jitter"
    })
    void areRefusedOutOfRange(String option, String problem) {
        assertThatThrownBy(() -> parsed(option))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void areChangedByLines() {
        Faults faults = parsed("--loss", "5");
        faults.change("up loss=10, delay=20");
        faults.change(" DOWN rate=12.5 ");
        assertThat(faults).hasToString("up delay=20,loss=10; down loss=5,rate=12.5");
        faults.change("loss=1 jitter=3");
        assertThat(faults)
                .hasToString("up delay=20,jitter=3,loss=1; down jitter=3,loss=1,rate=12.5");
        faults.change("off");
        assertThat(faults.isAny()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "nonsense; is not FAULT=NUMBER",
                "up; no fault after",
                "loss; is not FAULT=NUMBER",
                "loss=x; is not FAULT=NUMBER",
                "up loss=200; loss must be from 0 to 100 percent",
                "reorder=5; reorder needs delay or jitter"
            })
    void stayAfterWrongLine(String line, String problem) {
        Faults faults = parsed("--up", "delay=20");
        assertThatThrownBy(() -> faults.change(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
        assertThat(faults).hasToString("up delay=20; down off");
    }
}
