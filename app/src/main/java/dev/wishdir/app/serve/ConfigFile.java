package dev.wishdir.app.serve;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Suggestion;
import dev.wishdir.wire.TextFile;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A configuration file (HOCON) with values of a command's options. Each option is a key, its name
 * without the leading dashes: {@code quake2-data}, or {@code quake2 { data = … }}.
 */
final class ConfigFile {
    /** Options without a key: they concern the file or the command line itself. */
    private static final List<String> NOT_KEYS = List.of("config", "check", "help", "version");

    private static final int MAX_BYTES = 1 << 20;

    /** The key of an option inside the block of its name: {@code quake2 { address = … }}. */
    private static final String OWN_VALUE_KEY = "address";

    private static final Pattern SUBSTITUTION = Pattern.compile("\\$\\{[^?}][^}]*}");

    /**
     * The value of one option in the file.
     *
     * @param values one, or the items of a list
     * @param where file and line
     * @param line number of the line
     */
    record Setting(OptionSpec option, List<String> values, String where, int line) {
        /** The setting as command-line arguments. */
        List<String> arguments() {
            if (option.arity().max() == 0) {
                return values.equals(List.of("true")) ? List.of(option.longestName()) : List.of();
            }
            return values.stream().map(value -> option.longestName() + "=" + value).toList();
        }
    }

    private final CommandSpec spec;
    private final Map<String, Setting> settings = new LinkedHashMap<>();
    private final Map<String, Integer> errors = new LinkedHashMap<>();
    private final Map<String, String> texts = new HashMap<>();

    /** The options whose value in the file is not known, as it has a name that is not set. */
    private final Set<OptionSpec> unknown = new HashSet<>();

    private boolean isComplete = true;

    private ConfigFile(CommandSpec spec) {
        this.spec = spec;
    }

    /**
     * Reads a file.
     *
     * @param commands creates a new command, to parse each value separately
     * @throws CommandFailedException if the file cannot be read, or is not HOCON
     */
    static ConfigFile read(Path file, CommandSpec spec, Supplier<CommandLine> commands)
            throws CommandFailedException {
        ConfigFile read = new ConfigFile(spec);
        try {
            read.object(
                    "",
                    read.parse(file, ConfigParseOptions.defaults())
                            .resolve(ConfigResolveOptions.defaults().setAllowUnresolved(true))
                            .root());
        } catch (ConfigException e) {
            throw new CommandFailedException(read.text(file, e), e);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (StackOverflowError e) {
            throw new CommandFailedException(
                    "cannot read "
                            + file
                            + ": its blocks or lists are nested too deeply, or it includes itself;"
                            + " settings need at most two levels",
                    e);
        }
        read.settings.values().removeIf(setting -> !read.isValid(setting, commands.get()));
        return read;
    }

    /** The text of an error in a file's syntax, instead of the library's for its developers. */
    private String text(Path file, ConfigException e) {
        ConfigOrigin origin = e.origin();
        if (origin == null || origin.lineNumber() < 1) {
            return "cannot read "
                    + file
                    + ": "
                    + (e.getCause() instanceof IOException missing
                            ? missing.getMessage()
                            : "it is not a file of settings (HOCON)");
        }
        List<String> lines = texts.getOrDefault(name(origin), "").stripTrailing().lines().toList();
        boolean isAtEnd = !lines.isEmpty() && origin.lineNumber() > lines.size();
        if (isAtEnd && e instanceof ConfigException.Parse) {
            return name(origin)
                    + ", line "
                    + lines.size()
                    + ": the file ends before all is closed; close each quote, [ and {";
        }
        String line = line(origin);
        return name(origin)
                + ", line "
                + origin.lineNumber()
                + ": "
                + switch (e) {
                    case ConfigException.UnresolvedSubstitution _ ->
                            "a name has itself as its value"
                                    + line
                                    + "; set one of these names without the others";
                    case ConfigException.Parse _ ->
                            "this is not a setting"
                                    + line
                                    + "; write NAME = VALUE, and close each quote, [ and {; a text"
                                    + " with other characters than letters and digits needs quotes,"
                                    + " in which \\ is written \\\\";
                    default ->
                            "values of different kinds cannot be joined"
                                    + line
                                    + "; write one text, or one list";
                };
    }

    /** The text of a line after a colon; empty if the line is not known. */
    private String line(ConfigOrigin origin) {
        return texts.getOrDefault(name(origin), "")
                .lines()
                .skip(Math.max(origin.lineNumber() - 1L, 0))
                .findFirst()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> ": " + text)
                .orElse("");
    }

    /**
     * Whether all settings of the file are known: each has a key of an option, and a value, though
     * it may be wrong.
     */
    boolean isComplete() {
        return isComplete;
    }

    /** The errors in settings, a line each: file, line, and what is allowed. */
    List<String> errors() {
        return errors.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void addError(ConfigValue at, String what) {
        errors.put(where(at) + ": " + what, at.origin().lineNumber());
    }

    private void addError(Setting at, String what) {
        errors.put(at.where() + ": " + what, at.line());
    }

    /** Parses a file and the files that it includes, each in the operator's text encoding. */
    private Config parse(Path file, ConfigParseOptions options) throws IOException {
        String text = TextFile.read(file, MAX_BYTES);
        texts.put(file.toString(), text);
        return ConfigFactory.parseString(
                text,
                options.setOriginDescription(file.toString()).setIncluder(new Includes(file)));
    }

    /** Resolves included files relative to the file that includes them. */
    private final class Includes
            implements ConfigIncluder,
                    ConfigIncluderFile,
                    ConfigIncluderURL,
                    ConfigIncluderClasspath {
        private final Path from;

        Includes(Path from) {
            this.from = from;
        }

        @Override
        public ConfigIncluder withFallback(ConfigIncluder fallback) {
            return this;
        }

        @Override
        public ConfigObject include(ConfigIncludeContext context, String name) {
            return includeFile(context, new File(name));
        }

        @Override
        public ConfigObject includeURL(ConfigIncludeContext context, URL where) {
            throw refused("url(\"" + where + "\")");
        }

        @Override
        public ConfigObject includeResources(ConfigIncludeContext context, String where) {
            throw refused("classpath(\"" + where + "\")");
        }

        private static ConfigException refused(String what) {
            String text = "include takes a file only, not " + what + ": write include \"FILE\"";
            return new ConfigException.Generic(text, new IOException(text));
        }

        @Override
        public ConfigObject includeFile(ConfigIncludeContext context, File name) {
            Path sibling = from.resolveSibling(name.toPath());
            Path longer = sibling.resolveSibling(sibling.getFileName() + ".conf");
            Path file = Files.exists(sibling) || !Files.exists(longer) ? sibling : longer;
            if (!Files.exists(file) && context.parseOptions().getAllowMissing()) {
                return ConfigFactory.empty().root();
            }
            try {
                return parse(file, ConfigParseOptions.defaults()).root();
            } catch (IOException e) {
                throw new ConfigException.Generic(String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** The key of an option; empty if files cannot set it. */
    static Optional<String> key(OptionSpec option) {
        String name = option.longestName().replaceFirst("^-+", "");
        return NOT_KEYS.contains(name) ? Optional.empty() : Optional.of(name);
    }

    /** The value of an option in the file. */
    Optional<Setting> setting(OptionSpec option) {
        return key(option).map(settings::get);
    }

    /**
     * The arguments of a command line, preceded by the file's values of options it does not set.
     * The values of those that it sets are known from then on.
     */
    String[] merged(CommandLine.ParseResult given) {
        unknown.removeIf(given::hasMatchedOption);
        List<String> all = new ArrayList<>();
        settings.values().stream()
                .filter(setting -> !given.hasMatchedOption(setting.option()))
                .forEach(setting -> all.addAll(setting.arguments()));
        List<String> own = given.originalArgs();
        all.addAll(own.subList(own.indexOf(spec.name()) + 1, own.size()));
        return all.toArray(String[]::new);
    }

    /**
     * A message, each line preceded by file and line of the first option that it mentions; options
     * are written as keys there. The lines are in the order of the file; those about the command
     * line come first. A line about an option whose value in the file is not known is left out, as
     * it is about the default in its place.
     */
    String withLocation(String message) {
        return message.lines()
                .filter(line ->
                        errors.containsKey(line)
                                || unknown.stream().noneMatch(it -> mentions(line, it)))
                .map(this::located)
                .sorted(Comparator.comparingInt(Located::line))
                .map(Located::text)
                .collect(Collectors.joining("\n"));
    }

    /** A line of a message, with the number of the file's line that it is about; 0 for none. */
    private record Located(String text, int line) {}

    private Located located(String message) {
        Integer known = errors.get(message);
        if (known != null) {
            return new Located(message, known);
        }
        return settings.values().stream()
                .filter(setting -> mentions(message, setting.option()))
                .findFirst()
                .map(setting ->
                        new Located(setting.where() + ": " + withKeys(message), setting.line()))
                .orElse(new Located(message, 0));
    }

    private static boolean mentions(String message, OptionSpec option) {
        return message.matches("(?s).*" + option.longestName() + "(?![a-z-]).*");
    }

    private String withKeys(String message) {
        String text = message;
        for (OptionSpec option : spec.options()) {
            String key = key(option).orElse("");
            if (!key.isEmpty()) {
                text = text.replaceAll("(?<![\\w-])--" + key + "(?![\\w-])", key);
            }
        }
        return text;
    }

    private static String where(ConfigValue value) {
        return where(value.origin());
    }

    private static String where(ConfigOrigin origin) {
        return name(origin) + ", line " + origin.lineNumber();
    }

    private static String name(ConfigOrigin origin) {
        return origin.description().replaceFirst(": \\d+(-\\d+)?$", "");
    }

    private void object(String path, ConfigObject object) {
        object.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> entry.getValue().origin().lineNumber()))
                .forEach(entry -> {
                    String name = path.isEmpty() ? entry.getKey() : path + "-" + entry.getKey();
                    if (entry.getValue() instanceof ConfigObject inner && !isUnset(inner)) {
                        object(name, inner);
                    } else {
                        value(name, entry.getValue());
                    }
                });
    }

    /** Whether a value has a name that is not set, other than in an item or a setting of it. */
    private static boolean isUnset(ConfigValue value) {
        try {
            Object _ = value instanceof ConfigObject block ? block.entrySet() : value.valueType();
            return false;
        } catch (ConfigException.NotResolved _) {
            return true;
        }
    }

    /** The parts of a value that have a name that is not set. */
    private static Stream<ConfigValue> unset(ConfigValue value) {
        if (isUnset(value)) {
            return Stream.of(value);
        }
        return switch (value) {
            case ConfigList list -> list.stream().flatMap(ConfigFile::unset);
            case ConfigObject block -> block.values().stream().flatMap(ConfigFile::unset);
            default -> Stream.empty();
        };
    }

    private void addUnset(ConfigValue value) {
        String names =
                SUBSTITUTION
                        .matcher(value.render(ConfigRenderOptions.concise()))
                        .results()
                        .map(MatchResult::group)
                        .distinct()
                        .collect(Collectors.joining(" and "));
        ConfigOrigin origin = origin(value);
        errors.put(
                where(origin)
                        + ": no value is set for "
                        + names
                        + line(origin)
                        + "; set it in this file or in the environment, or write ${?NAME} for a"
                        + " value that may be missing",
                origin.lineNumber());
    }

    /** The place of the name that is not set; the value itself may also begin in other lines. */
    private static ConfigOrigin origin(ConfigValue unset) {
        try {
            unset.atKey("value").resolve();
        } catch (ConfigException.UnresolvedSubstitution e) {
            if (e.origin() != null && e.origin().lineNumber() > 0) {
                return e.origin();
            }
        }
        return unset.origin();
    }

    private void value(String name, ConfigValue value) {
        List<ConfigValue> unset = unset(value).toList();
        if (unset.isEmpty() && value.valueType() == ConfigValueType.NULL) {
            return;
        }
        unset.forEach(this::addUnset);
        Optional<OptionSpec> option = option(name);
        if (option.isEmpty() && name.endsWith("-" + OWN_VALUE_KEY)) {
            option = option(name.substring(0, name.length() - OWN_VALUE_KEY.length() - 1));
        }
        if (option.isEmpty()) {
            isComplete = false;
            if (unset.isEmpty() || !isBlock(name)) {
                addError(value, "there is no setting '" + name + "'" + suggestion(name));
            }
            return;
        }
        if (!unset.isEmpty()) {
            isComplete = false;
            unknown.add(option.get());
            return;
        }
        List<String> values =
                value instanceof ConfigList list
                        ? list.stream().map(item -> String.valueOf(item.unwrapped())).toList()
                        : List.of(String.valueOf(value.unwrapped()));
        String key = option.get().longestName().substring(2);
        if (value instanceof ConfigList && !option.get().isMultiValue()) {
            isComplete = false;
            addError(value, key + " takes one value, not a list");
        } else {
            settings.put(
                    key,
                    new Setting(option.get(), values, where(value), value.origin().lineNumber()));
        }
    }

    /** Whether a name can be that of a block, with settings of its own. */
    private boolean isBlock(String name) {
        return spec.options().stream()
                .anyMatch(
                        option -> key(option).filter(it -> it.startsWith(name + "-")).isPresent());
    }

    private Optional<OptionSpec> option(String key) {
        return spec.options().stream()
                .filter(option -> key(option).filter(key::equals).isPresent())
                .findFirst();
    }

    /** Parses one value separately, so that each wrong value is reported. */
    private boolean isValid(Setting setting, CommandLine command) {
        if (setting.option().arity().max() == 0) {
            boolean valid = setting.values().getFirst().matches("true|false");
            if (!valid) {
                addError(setting, key(setting) + " must be true or false");
            }
            return valid;
        }
        SettingProblems problems = new SettingProblems();
        command.parseArgs(setting.arguments().toArray(String[]::new));
        problems.addParseErrors(command);
        for (String problem : problems.texts()) {
            addError(
                    setting,
                    problem.replaceFirst("^--", "")
                            + "; expected: "
                            + key(setting)
                            + " = "
                            + setting.option().paramLabel());
        }
        return problems.isEmpty();
    }

    private static String key(Setting setting) {
        return setting.option().longestName().substring(2);
    }

    private String suggestion(String name) {
        return Suggestion.hint(
                name,
                spec.options().stream().flatMap(option -> key(option).stream()).toList(),
                "; wishdir config lists all settings");
    }
}
