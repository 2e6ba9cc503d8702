import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
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
 * The last lines of {@code mvn verify}: the slowest test classes, those that belong to the slow tier, and the tests that
 * were skipped because a program is not installed. It reads the reports of surefire and failsafe that are newer than the
 * start of the build.
 *
 * <p>Usage: {@code TestReport.java ROOT START MAX_SECONDS}, with the start as an ISO instant. Ends with status 1 if a unit
 * test class without {@code @Tag("slow")} took longer than MAX_SECONDS, where that is not 0.
 */
class TestReport {
    private static final Pattern WANTS = Pattern.compile("(?:Debian package |\\b(npm)'s )(\\S+)");

    private static final int SLOWEST = 15;

    /** From here on a class is listed that has no tag; it may take this long by itself on a quiet machine. */
    private static final double MAX_FAST_SECONDS = 3;

    /** How long a class of tests took, seconds. */
    private record Time(String test, double seconds) {}

    public static void main(String[] arguments) throws Exception {
        int skipped = 0;
        List<Time> times = new ArrayList<>();
        SortedSet<String> wanted = new TreeSet<>();
        List<Time> untagged = new ArrayList<>();
        Path root = Path.of(arguments[0]);
        FileTime start = FileTime.from(Instant.parse(arguments[1]));
        double maxSeconds = Double.parseDouble(arguments[2]);
        for (Path report : reports(root, start)) {
            Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile());
            Element suite = document.getDocumentElement();
            String name = suite.getAttribute("name");
            double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
            Time time = new Time(name.substring(name.lastIndexOf('.') + 1), seconds);
            times.add(time);
            if (seconds > MAX_FAST_SECONDS && isUntagged(report, name)) {
                untagged.add(time);
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
                slowest(times));
        if (!untagged.isEmpty()) {
            System.out.println(
                    "Classes above " + (int) MAX_FAST_SECONDS + " s without @Tag(\"slow\"): " + slowest(untagged)
                            + ". Make them faster, or tag them if a quiet machine needs that long.");
        }
        if (skipped > 0) {
            System.out.println(
                    skipped
                            + (skipped == 1 ? " test was skipped" : " tests were skipped")
                            + (wanted.isEmpty() ? "" : ", as these are not installed: " + String.join(", ", wanted))
                            + ". .ci/run installs all that they need, and runs them.");
        }
        if (maxSeconds > 0 && untagged.stream().anyMatch(time -> time.seconds() > maxSeconds)) {
            System.err.printf(Locale.ROOT, "A class without @Tag(\"slow\") took more than %.0f s, see above%n", maxSeconds);
            System.exit(1);
        }
    }

    private static String slowest(List<Time> times) {
        return times.stream()
                .sorted(Comparator.comparingDouble(Time::seconds).reversed())
                .limit(SLOWEST)
                .map(time -> String.format(Locale.ROOT, "%s %.0f s", time.test(), time.seconds()))
                .collect(Collectors.joining(", "));
    }

    /** Whether a report is that of a unit test class in the fast tier. */
    private static boolean isUntagged(Path report, String name) throws IOException {
        Path source = report.resolve("../../../src/test/java").resolve(name.replace('.', '/') + ".java").normalize();
        return report.getParent().endsWith("surefire-reports")
                && Files.exists(source)
                && !Files.readString(source).contains("@Tag(\"slow\")");
    }

    private static List<Path> reports(Path root, FileTime start) throws IOException {
        List<Path> reports = new ArrayList<>();
        File[] modules = root.toFile().listFiles(File::isDirectory);
        for (File module : modules == null ? new File[0] : modules) {
            for (String kind : List.of("surefire", "failsafe")) {
                Path folder = module.toPath().resolve("target").resolve(kind + "-reports");
                if (Files.isDirectory(folder)) {
                    try (var files = Files.list(folder)) {
                        for (Path file : files.toList()) {
                            if (file.getFileName().toString().matches("TEST-.*\\.xml")
                                    && Files.getLastModifiedTime(file).compareTo(start) >= 0) {
                                reports.add(file);
                            }
                        }
                    }
                }
            }
        }
        return reports;
    }
}
