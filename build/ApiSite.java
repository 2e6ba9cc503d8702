import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Makes one site of the API of all modules that it is given: {@code SITE/wishdir-MODULE} is a link to what javadoc makes
 * of a module. Javadoc makes each by itself, and links it to the others by the lists of packages in
 * {@code SITE/packages/MODULE/OTHER}, those included that it has not made yet. A module's own list is empty there: what is
 * not public in it would be linked to.
 */
class ApiSite {
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Path site = Path.of(arguments[1]);
        List<String> modules = new ArrayList<>();
        for (String module : arguments[2].split(",")) {
            modules.add(module.strip());
        }
        StringBuilder index = new StringBuilder("<!doctype html><meta charset=utf-8><title>Wishdir API</title><h1>Wishdir API</h1><ul>");
        for (String module : modules) {
            String packages = String.join("\n", packages(root.resolve(module).resolve("src/main/java")));
            for (String other : modules) {
                Path list = site.resolve("packages").resolve(other).resolve(module).resolve("element-list");
                Files.createDirectories(list.getParent());
                Files.writeString(list, other.equals(module) ? "" : packages);
            }
            Path pages = site.resolve("wishdir-" + module);
            Files.deleteIfExists(pages);
            Path made = root.resolve(module).resolve("target/reports/apidocs");
            Files.createSymbolicLink(pages, site.toAbsolutePath().relativize(made.toAbsolutePath()));
            index.append("<li><a href=\"wishdir-%s/index.html\">%s</a>".formatted(module, module));
        }
        Files.writeString(site.resolve("index.html"), index + "</ul>\n");
    }

    private static SortedSet<String> packages(Path sources) throws IOException {
        SortedSet<String> packages = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.').replace('\\', '.'))
                    .forEach(packages::add);
        }
        return packages;
    }
}
