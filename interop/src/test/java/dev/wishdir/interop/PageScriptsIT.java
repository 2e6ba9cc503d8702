package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The scripts of all pages: TypeScript checks the types of their JSDoc, ESLint the rest; Node runs
 * the tests of the reader of recordings.
 */
@Timeout(600)
class PageScriptsIT {
    private static final Path CONFIGURATION = Path.of("src/test/peers/pages");
    private static final Path CHECKS = Path.of("target/page-checks").toAbsolutePath();
    private static final Path PAGES = CHECKS.resolve("pages");

    /** The scripts of others, which the build takes out of WebJars. */
    private static final Path LIBRARIES = Path.of("../web/target/classes/web/lib").toAbsolutePath();

    private static final List<Path> RESOURCES =
            List.of(
                    Path.of("../web/src/main/resources/web"),
                    Path.of("../app/src/main/resources/load"),
                    Path.of("../app/src/main/resources/analysis"));

    /**
     * Puts the scripts where the packages are found, next to the configuration of both programs.
     */
    @BeforeAll
    static void copy() throws IOException {
        if (!Files.exists(CHECKS.resolve("node_modules/typescript"))) {
            String missing =
                    "npm's typescript and eslint are missing: copy "
                            + CONFIGURATION
                            + "/package.json to "
                            + CHECKS
                            + " and run npm install there";
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            }
            abort(missing);
        }
        if (Files.exists(PAGES)) {
            try (Stream<Path> old = Files.walk(PAGES)) {
                for (Path each : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        try (Stream<Path> files = Files.list(CONFIGURATION)) {
            for (Path each : files.toList()) {
                Path to = CHECKS.resolve(each.getFileName());
                Files.copy(each, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (Path resources : RESOURCES) {
            try (Stream<Path> files = Files.walk(resources)) {
                for (Path each : files.filter(file -> file.toString().endsWith(".js")).toList()) {
                    Path to = PAGES.resolve(requireNonNull(resources.getParent()).relativize(each));
                    Files.createDirectories(to.getParent());
                    Files.copy(each, to);
                }
            }
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(CHECKS.toFile()).redirectErrorStream(true);
        builder.environment().put("WISHDIR_PAGE_LIB", LIBRARIES.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : "status " + process.exitValue() + ": " + output;
    }

    @Test
    void passesTypeCheck() throws Exception {
        assertThat(output("node_modules/.bin/tsc", "-p", ".")).isEmpty();
    }

    @Test
    void passesLint() throws Exception {
        assertThat(output("node_modules/.bin/eslint", "pages")).isEmpty();
    }

    @Test
    void passesUnitTests() throws Exception {
        assertThat(output("node", "--test", "replay.test.js")).isEmpty();
    }

    /** A call with a missing argument, which made the Explorer's movements blank, is found. */
    @Test
    void findsAMissingArgument() throws Exception {
        Path moves = PAGES.resolve("web/explore/moves.js");
        String script = Files.readString(moves);
        String framed = "this.#camera.frame(corners(this.#bounds), 'ways', space.camera, 1)";
        assertThat(script).contains(framed);
        Files.writeString(moves, script.replace(framed, "this.#camera.frame(this.#bounds)"));
        try {
            assertThat(output("node_modules/.bin/tsc", "-p", ".")).contains("moves.js");
        } finally {
            Files.writeString(moves, script);
        }
    }

    /** A script in a page itself would be checked by nothing. */
    @Test
    void findsNoInlineScripts() throws Exception {
        for (Path resources : RESOURCES) {
            try (Stream<Path> files = Files.walk(resources)) {
                for (Path each : files.filter(file -> file.toString().endsWith(".html")).toList()) {
                    assertThat(Files.readString(each))
                            .as(each.toString())
                            .doesNotContainPattern(
                                    "<script(?![^>]*(src=|application/json))[^>]*>\\s*[^</\\s]")
                            .doesNotContainPattern("\\son\\w+=");
                }
            }
        }
    }
}
