import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format over every Java file of the modules: {@code mvn verify -Pfull} passes {@code check}, {@code mvn -N
 * validate -Pformat} passes {@code apply}. The formatter uses internals of javac, which it is given by options.
 */
class Format {
    public static void main(String[] arguments) throws Exception {
        Path list = Files.createTempFile("wishdir-format", ".txt");
        Files.write(list, sources());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Beside tests, which lack the CPU that Java's second compiler and its parallel collector would take.
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        for (String part : List.of("api", "code", "file", "parser", "tree", "util")) {
            command.add("--add-exports=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("com.google.googlejavaformat.java.Main", "--aosp"));
        boolean apply = arguments[0].equals("apply");
        command.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
        command.add("@" + list);
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (apply) {
            // What it wraps in the first run it may wrap better in the second.
            status = new ProcessBuilder(command).inheritIO().start().waitFor();
        }
        Files.delete(list);
        if (status != 0) {
            System.err.println("Not formatted: the files above. Run: mvn -N validate -Pformat");
        }
        System.exit(status);
    }

    /** The Java files in the folder src of each module: what a build beside this changes is not in it. */
    private static List<String> sources() throws IOException {
        List<String> sources = new ArrayList<>();
        try (var modules = Files.list(Path.of("."))) {
            for (Path src : modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
                try (var files = Files.walk(src)) {
                    files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(sources::add);
                }
            }
        }
        sources.sort(null);
        return sources;
    }
}
