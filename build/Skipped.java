import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Says in one line, at the end of {@code mvn verify}, which tests were skipped for want of a program, and how to run
 * them. It reads the reports of surefire and failsafe below the folder that it is given.
 */
class Skipped {
    private static final Pattern WANTS = Pattern.compile("(?:Debian package |\\b(npm)'s )(\\S+)");

    public static void main(String[] arguments) throws Exception {
        int skipped = 0;
        SortedSet<String> wanted = new TreeSet<>();
        for (Path report : reports(Path.of(arguments[0]))) {
            Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile());
            NodeList tests = document.getElementsByTagName("skipped");
            for (int i = 0; i < tests.getLength(); i++) {
                skipped++;
                Element test = (Element) tests.item(i);
                // The reason is in the one or in the other, by how the test was ended.
                Matcher wants = WANTS.matcher(test.getAttribute("message") + "\n" + test.getTextContent());
                if (wants.find()) {
                    wanted.add(wants.group(1) == null ? wants.group(2) : "npm's " + wants.group(2));
                }
            }
        }
        if (skipped > 0) {
            System.out.println(
                    skipped
                            + (skipped == 1 ? " test was skipped" : " tests were skipped")
                            + (wanted.isEmpty() ? "" : ", as these are not installed: " + String.join(", ", wanted))
                            + ". .ci/run installs all that they need, and runs them.");
        }
    }

    private static List<Path> reports(Path root) throws IOException {
        List<Path> reports = new ArrayList<>();
        File[] modules = root.toFile().listFiles(File::isDirectory);
        for (File module : modules == null ? new File[0] : modules) {
            for (String kind : List.of("surefire", "failsafe")) {
                Path folder = module.toPath().resolve("target").resolve(kind + "-reports");
                if (Files.isDirectory(folder)) {
                    try (var files = Files.list(folder)) {
                        files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml")).forEach(reports::add);
                    }
                }
            }
        }
        return reports;
    }
}
