package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Prometheus's own judgement of what our server says of itself. */
@Timeout(600)
class MetricsIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final Path DIST = Path.of("../dist/src/main/dist");

    /** What our own names begin with, and those of Java's that we show. */
    private static final Pattern NAMES = Pattern.compile("\\b(wishdir|jvm|process)_[a-z_]+");

    private static String promtool(String input, String... arguments)
            throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 1];
        command[0] = PROMTOOL.toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static Set<String> names(String text) {
        return NAMES.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    }

    @Test
    void passesPromtool(@TempDir Path directory) throws Exception {
        Peer.need("prometheus", PROMTOOL);
        HttpClient http = HttpClient.newHttpClient();
        try (Peer server =
                Peer.wishdir(
                        directory,
                        "serve",
                        "--record",
                        directory.resolve("recordings").toString(),
                        "--web",
                        "127.0.0.1:0",
                        "--sauerbraten",
                        "127.0.0.1:0",
                        "--quake2",
                        "127.0.0.1:0",
                        "--quake3",
                        "127.0.0.1:0",
                        "--bedrock",
                        "127.0.0.1:0")) {
            String page = server.awaitLine("^Live map: ", SOON).substring("Live map: ".length());
            String quake = server.awaitLine("^Quake II: .* port ", SOON);
            try (Peer bots =
                    Peer.wishdir(
                            directory,
                            "load",
                            "quake2",
                            "127.0.0.1:" + quake.substring(quake.lastIndexOf(' ') + 1),
                            "--clients",
                            "3",
                            "--seconds",
                            "300")) {
                AtomicReference<String> scraped = new AtomicReference<>("");
                Peer.await(
                        "three players",
                        SOON,
                        () -> {
                            assertThat(bots.isAlive()).as("%s", bots.lines()).isTrue();
                            scraped.set(get(http, page + "metrics"));
                            return scraped.get().contains("wishdir_players{game=\"quake2\"} 3.0");
                        });
                assertThat(get(http, page + "healthz")).isEqualTo("ok\n");
                assertThat(promtool(scraped.get(), "check", "metrics")).isEmpty();
                rulesAndDashboardKnow(names(scraped.get()));
            }
        }
    }

    private static void rulesAndDashboardKnow(Set<String> scraped) throws Exception {
        Path rules = DIST.resolve("prometheus/wishdir.rules.yml");
        promtool("", "check", "rules", rules.toString());
        for (Path file : new Path[] {rules, DIST.resolve("grafana/wishdir.json")}) {
            Set<String> asked = new TreeSet<>(names(Files.readString(file)));
            // Counted first where something is dropped, which nothing was.
            asked.remove("wishdir_dropped_datagrams_total");
            assertThat(asked).hasSizeGreaterThan(4).isSubsetOf(scraped);
        }
    }

    private static String get(HttpClient http, String where) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(where)).timeout(SOON).build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
