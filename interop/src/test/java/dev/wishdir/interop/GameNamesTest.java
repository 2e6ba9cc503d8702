package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is known of one game stands in its module: elsewhere no code names a game, so that a fifth
 * is one module. Comments may, for reasons and examples.
 */
class GameNamesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> GAMES =
            Games.ALL.stream().map(GameNamesTest::module).toList();

    /** Measurements and tests are about the games that there are. */
    private static final List<String> MEASURES = List.of("bench", "interop");

    private static final Pattern NAME =
            Pattern.compile(
                    "sauerbraten|cube ?2|quake|openarena|minecraft|bedrock|xbox|mojang",
                    Pattern.CASE_INSENSITIVE);

    /** What must name a game elsewhere, and why. */
    private static final Map<String, String> REASONS =
            Map.ofEntries(
                    Map.entry("pom.xml", "Maven's list of modules"),
                    Map.entry("bom/pom.xml", "the artifacts"),
                    Map.entry("app/pom.xml", "the one line of a game"),
                    Map.entry("idtech/pom.xml", "the module is what two games share"),
                    Map.entry(
                            "idtech/src/main/java/dev/wishdir/idtech/TraceRules.java",
                            "the rules of the two games that share the module"),
                    Map.entry(
                            "idtech/src/main/java/dev/wishdir/idtech/BoxSweep.java",
                            "as TraceRules"),
                    Map.entry(
                            "idtech/src/main/java/dev/wishdir/idtech/BrushWorld.java",
                            "as TraceRules"),
                    Map.entry(
                            "idtech/src/main/java/dev/wishdir/idtech/PlaneWorld.java",
                            "as TraceRules"),
                    Map.entry(
                            "nethernet/src/main/java/dev/wishdir/nethernet/identity/IdentityIssuer.java",
                            "hosts of the service that certifies players of the transport"),
                    Map.entry(
                            "nethernet/src/main/java/dev/wishdir/nethernet/identity/IssuerDiscovery.java",
                            "as IdentityIssuer"),
                    Map.entry(
                            "nethernet/src/main/java/dev/wishdir/nethernet/identity/Identity.java",
                            "as IdentityIssuer"),
                    Map.entry(
                            "nethernet/src/main/java/dev/wishdir/nethernet/NetherNetClient.java",
                            "as IdentityIssuer"),
                    Map.entry(
                            "app/src/main/java/dev/wishdir/app/CommandUsage.java",
                            "examples of the help"),
                    Map.entry(
                            "app/src/main/java/dev/wishdir/app/RconCommand.java",
                            "rcon is the protocol of two games, and of other servers of these"),
                    Map.entry(
                            "app/src/main/java/dev/wishdir/app/SauerbratenKeyCommand.java",
                            "a command for one game's operators; no second game has keys"),
                    Map.entry("app/src/main/java/dev/wishdir/app/Main.java", "that command"),
                    Map.entry("dist/src/main/dist/compose.yml", "ports of an installation"),
                    Map.entry("dist/src/main/dist/wishdir", "loads all games into Java's cache"),
                    Map.entry("dist/src/main/dist/grafana/wishdir.json", "a text of a panel"));

    private static String module(Game game) {
        return game.getClass().getPackageName().replaceFirst(".*[.]", "");
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** The sources of what is shipped, without the games' modules. */
    private static List<Path> sources() throws IOException {
        TreeSet<Path> found = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(each -> Files.exists(each.resolve("pom.xml"))).toList()) {
                String name = module.getFileName().toString();
                if (!GAMES.contains(name) && !MEASURES.contains(name) && !name.equals("examples")) {
                    found.add(module.resolve("pom.xml"));
                    found.addAll(files(module.resolve("src/main")));
                }
            }
        }
        found.add(ROOT.resolve("pom.xml"));
        return List.copyOf(found);
    }

    /** A source without its comments, and without what is not text. */
    static String code(String file, String source) {
        String comment =
                switch (file.substring(file.lastIndexOf('.') + 1)) {
                    case "java", "js", "css", "proto" ->
                            "(?s)(\"(?:\\\\.|[^\"\\\\\n])*+\")|/\\*.*?\\*/|(?<!:)//[^\n]*+";
                    case "html", "xml" -> "(?s)(\\A)?<!--.*?-->";
                    case "md", "svg", "png" -> "(?s)().*";
                    default -> "(?m)()^\\s*#.*$";
                };
        return Pattern.compile(comment)
                .matcher(source)
                .replaceAll(found ->
                        found.group(1) == null ? "" : Matcher.quoteReplacement(found.group(1)));
    }

    @Test
    void namesGamesOnlyInTheirModules() throws IOException {
        Set<String> naming = new TreeSet<>();
        List<Path> sources = sources();
        assertThat(sources).hasSizeGreaterThan(800);
        for (Path file : sources) {
            String name = ROOT.relativize(file).toString();
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            if (NAME.matcher(code(name, text)).find()) {
                naming.add(name);
            }
        }
        assertThat(naming).isEqualTo(new TreeSet<>(REASONS.keySet()));
    }

    @Test
    void hasEachGameAmongArtifacts() throws IOException {
        assertThat(GAMES).isNotEmpty();
        for (String pom : List.of("pom.xml", "bom/pom.xml", "app/pom.xml")) {
            String text = Files.readString(ROOT.resolve(pom));
            for (String game : GAMES) {
                assertThat(text).contains("<artifactId>wishdir-" + game + "</artifactId>");
            }
        }
    }

    @Test
    void readsCodeWithoutComments() {
        String java = "a(\"/* Quake */ // b\"); /* Quake\n */ c(); // Quake\nd(\"http://e\");";
        assertThat(code("A.java", java))
                .isEqualTo("a(\"/* Quake */ // b\");  c(); \nd(\"http://e\");");
        assertThat(code("a.xml", "<a><!-- Quake --></a>")).isEqualTo("<a></a>");
        assertThat(code("a.yml", "a: b\n # Quake\nc: d")).isEqualTo("a: b\n\nc: d");
    }
}
