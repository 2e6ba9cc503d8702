import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.xml.parsers.DocumentBuilderFactory;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The last lines of {@code mvn verify}: the slowest test classes, the tests that were skipped because a program is not
 * installed, and how to run them, and those that passed only in a second run. It reads the reports of surefire and failsafe below the folder that it is given.
 */
class TestReport {
    private static final Pattern WANTS = Pattern.compile("(?:Debian package |\\b(npm)'s )(\\S+)");

    private static final int SLOWEST = 15;

    /** How long a class of tests took, seconds. */
    private record Time(String test, double seconds) {}

    public static void main(String[] arguments) throws Exception {
        int skipped = 0;
        List<Time> times = new ArrayList<>();
        SortedSet<String> wanted = new TreeSet<>();
        SortedSet<String> repeated = new TreeSet<>();
        for (Path report : reports(Path.of(arguments[0]))) {
            Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile());
            Element suite = document.getDocumentElement();
            String name = suite.getAttribute("name");
            double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
            times.add(new Time(name.substring(name.lastIndexOf('.') + 1), seconds));
            for (String kind : List.of("flakyFailure", "flakyError")) {
                NodeList flakes = document.getElementsByTagName(kind);
                for (int i = 0; i < flakes.getLength(); i++) {
                    Element test = (Element) flakes.item(i).getParentNode();
                    repeated.add(name.substring(name.lastIndexOf('.') + 1) + "." + test.getAttribute("name"));
                }
            }
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
        System.out.printf(
                Locale.ROOT,
                "%d test classes took %.0f s; the slowest: %s%n",
                times.size(),
                times.stream().mapToDouble(Time::seconds).sum(),
                times.stream()
                        .sorted(Comparator.comparingDouble(Time::seconds).reversed())
                        .limit(SLOWEST)
                        .map(time -> String.format(Locale.ROOT, "%s %.0f s", time.test(), time.seconds()))
                        .collect(Collectors.joining(", ")));
        if (!repeated.isEmpty()) {
            System.out.println("Passed only in a second run: " + String.join(", ", repeated));
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
