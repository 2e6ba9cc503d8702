package dev.wishdir.app;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;

import dev.wishdir.wire.TextFile;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a file in HOCON says of a command's options. Each option is a key by its name without the
 * dashes, so that there is no second list: {@code quake2-data}, or {@code quake2 { data = … }}.
 */
final class ConfigFile {
    /** The options that are about the file, or about the command line itself. */
    private static final List<String> NOT_KEYS = List.of("config", "check", "help", "version");

    private static final int MAX_BYTES = 1 << 20;

    /** In a block of an option's further ones it is the option itself: {@code quake2.address}. */
    private static final String ITSELF = "address";

    /**
     * What is said of one option.
     *
     * @param values one, or those of a list
     * @param where the file and the line
     */
    record Said(OptionSpec option, List<String> values, String where) {
        /** As they are on a command line. */
        List<String> arguments() {
            if (option.arity().max() == 0) {
                return values.equals(List.of("true")) ? List.of(option.longestName()) : List.of();
            }
            return values.stream().map(value -> option.longestName() + "=" + value).toList();
        }
    }

    private final CommandSpec spec;
    private final Map<String, Said> said = new LinkedHashMap<>();
    private final List<String> wrong = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();

    private ConfigFile(CommandSpec spec) {
        this.spec = spec;
    }

    /**
     * Reads a file.
     *
     * @param fresh makes the command, to try each value alone
     * @throws CommandFailedException with a line for each thing that is wrong: file, line, and what
     *     would be right
     */
    static ConfigFile read(Path file, CommandSpec spec, Supplier<CommandLine> fresh)
            throws CommandFailedException {
        ConfigFile read = new ConfigFile(spec);
        try {
            read.object("", parse(file, ConfigParseOptions.defaults()).resolve().root());
        } catch (ConfigException e) {
            throw new CommandFailedException(file + " can't be read: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (StackOverflowError e) {
            throw new CommandFailedException(
                    file
                            + " can't be read: its blocks or lists are nested too deeply; the"
                            + " settings need two levels",
                    e);
        }
        read.said.values().forEach(said -> read.tried(said, fresh.get()));
        if (!read.wrong.isEmpty()) {
            throw new CommandFailedException(String.join("\n", read.wrong));
        }
        return read;
    }

    /** The settings of a file and of those that it includes, each read as text of the operator. */
    private static Config parse(Path file, ConfigParseOptions options) throws IOException {
        return ConfigFactory.parseString(
                TextFile.read(file, MAX_BYTES),
                options.setOriginDescription(file.toString()).setIncluder(new Includes(file)));
    }

    /** Finds included files beside the file that includes them. */
    private record Includes(Path from) implements ConfigIncluder, ConfigIncluderFile {
        @Override
        public ConfigIncluder withFallback(ConfigIncluder fallback) {
            return this;
        }

        @Override
        public ConfigObject include(ConfigIncludeContext context, String name) {
            return includeFile(context, new File(name));
        }

        @Override
        public ConfigObject includeFile(ConfigIncludeContext context, File name) {
            Path beside = from.resolveSibling(name.toPath());
            Path file =
                    Files.exists(beside)
                            ? beside
                            : beside.resolveSibling(beside.getFileName() + ".conf");
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

    /** The name of an option in a file; nothing where it has no place there. */
    static Optional<String> key(OptionSpec option) {
        String name = option.longestName().replaceFirst("^-+", "");
        return NOT_KEYS.contains(name) ? Optional.empty() : Optional.of(name);
    }

    /** A sentence for each old name in the file. */
    List<String> notices() {
        return notices;
    }

    /** What is said of an option. */
    Optional<Said> said(OptionSpec option) {
        return key(option).map(said::get);
    }

    /** What is said here of options that a command line has not given, and that command line. */
    String[] merged(CommandLine.ParseResult given) {
        List<String> all = new ArrayList<>();
        said.values().stream()
                .filter(known -> !given.hasMatchedOption(known.option()))
                .forEach(known -> all.addAll(known.arguments()));
        List<String> own = given.originalArgs();
        all.addAll(own.subList(own.indexOf(spec.name()) + 1, own.size()));
        return all.toArray(String[]::new);
    }

    /** A message about options, with the line of the first that is from here. */
    String located(String message) {
        return said.values().stream()
                .filter(known ->
                        message.matches("(?s).*" + known.option().longestName() + "(?![a-z-]).*"))
                .findFirst()
                .map(known -> known.where() + ": " + message)
                .orElse(message);
    }

    private static String where(ConfigValue value) {
        return value.origin().description().replaceFirst(": \\d+(-\\d+)?$", "")
                + ", line "
                + value.origin().lineNumber();
    }

    private void object(String path, ConfigObject object) {
        object.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> entry.getValue().origin().lineNumber()))
                .forEach(entry -> {
                    String name = path.isEmpty() ? entry.getKey() : path + "-" + entry.getKey();
                    if (entry.getValue() instanceof ConfigObject inner) {
                        object(name, inner);
                    } else {
                        value(name, entry.getValue());
                    }
                });
    }

    private void value(String written, ConfigValue value) {
        if (value.valueType() == ConfigValueType.NULL) {
            return;
        }
        String name = RenamedOptions.NEW_NAMES.getOrDefault(written, written);
        if (!name.equals(written)) {
            notices.add(where(value) + ": " + RenamedOptions.notice(written, name));
        }
        Optional<OptionSpec> option = option(name);
        if (option.isEmpty() && name.endsWith("-" + ITSELF)) {
            option = option(name.substring(0, name.length() - ITSELF.length() - 1));
        }
        if (option.isEmpty()) {
            wrong.add(where(value) + ": there is no '" + name + "'" + meant(name));
            return;
        }
        List<String> values =
                value instanceof ConfigList list
                        ? list.stream().map(item -> String.valueOf(item.unwrapped())).toList()
                        : List.of(String.valueOf(value.unwrapped()));
        String key = option.get().longestName().substring(2);
        if (value instanceof ConfigList && !option.get().isMultiValue()) {
            wrong.add(where(value) + ": " + key + " has one value, no list");
        } else {
            said.put(key, new Said(option.get(), values, where(value)));
        }
    }

    private Optional<OptionSpec> option(String key) {
        return spec.options().stream()
                .filter(option -> key(option).filter(key::equals).isPresent())
                .findFirst();
    }

    /** Tries a value alone, for what the command itself says of it. */
    private void tried(Said known, CommandLine alone) {
        if (known.option().arity().max() == 0) {
            if (!known.values().getFirst().matches("true|false")) {
                wrong.add(known.where() + ": " + key(known) + " is true or false");
            }
            return;
        }
        try {
            alone.parseArgs(known.arguments().toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            String label = known.option().paramLabel();
            wrong.add(
                    known.where()
                            + ": "
                            + UsageErrors.text(e).replaceFirst("^--", "")
                            + "; right is: "
                            + key(known)
                            + " = "
                            + label);
        }
    }

    private static String key(Said known) {
        return known.option().longestName().substring(2);
    }

    /** The key that was meant, where one is near. */
    private String meant(String name) {
        return Suggestion.hint(
                name,
                spec.options().stream().flatMap(option -> key(option).stream()).toList(),
                "; wishdir config lists what there is");
    }
}
