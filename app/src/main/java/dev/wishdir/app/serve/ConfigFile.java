package dev.wishdir.app.serve;

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

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.RenamedOptions;
import dev.wishdir.app.command.Suggestion;
import dev.wishdir.app.command.UsageErrors;
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
 * A configuration file (HOCON) with values of a command's options. Each option is a key, its name
 * without the leading dashes: {@code quake2-data}, or {@code quake2 { data = … }}.
 */
final class ConfigFile {
    /** Options without a key: they concern the file or the command line itself. */
    private static final List<String> NOT_KEYS = List.of("config", "check", "help", "version");

    private static final int MAX_BYTES = 1 << 20;

    /** The key of an option inside the block of its name: {@code quake2 { address = … }}. */
    private static final String OWN_VALUE_KEY = "address";

    /**
     * The value of one option in the file.
     *
     * @param values one, or the items of a list
     * @param where file and line
     */
    record Setting(OptionSpec option, List<String> values, String where) {
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
    private final List<String> errors = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();

    private ConfigFile(CommandSpec spec) {
        this.spec = spec;
    }

    /**
     * Reads a file.
     *
     * @param fresh creates a new command, to parse each value separately
     * @throws CommandFailedException with a line for each error: file, line, and what is allowed
     */
    static ConfigFile read(Path file, CommandSpec spec, Supplier<CommandLine> fresh)
            throws CommandFailedException {
        ConfigFile read = new ConfigFile(spec);
        try {
            read.object("", parse(file, ConfigParseOptions.defaults()).resolve().root());
        } catch (ConfigException e) {
            throw new CommandFailedException("cannot read " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        } catch (StackOverflowError e) {
            throw new CommandFailedException(
                    "cannot read "
                            + file
                            + ": its blocks or lists are nested too deeply; settings need at most"
                            + " two levels",
                    e);
        }
        read.settings.values().forEach(setting -> read.check(setting, fresh.get()));
        if (!read.errors.isEmpty()) {
            throw new CommandFailedException(String.join("\n", read.errors));
        }
        return read;
    }

    /** Parses a file and the files that it includes, each in the operator's text encoding. */
    private static Config parse(Path file, ConfigParseOptions options) throws IOException {
        return ConfigFactory.parseString(
                TextFile.read(file, MAX_BYTES),
                options.setOriginDescription(file.toString()).setIncluder(new Includes(file)));
    }

    /** Resolves included files relative to the file that includes them. */
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
            Path sibling = from.resolveSibling(name.toPath());
            Path file =
                    Files.exists(sibling)
                            ? sibling
                            : sibling.resolveSibling(sibling.getFileName() + ".conf");
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

    /** A sentence for each old name in the file. */
    List<String> notices() {
        return notices;
    }

    /** The value of an option in the file. */
    Optional<Setting> setting(OptionSpec option) {
        return key(option).map(settings::get);
    }

    /**
     * The arguments of a command line, preceded by the file's values of options it does not set.
     */
    String[] merged(CommandLine.ParseResult given) {
        List<String> all = new ArrayList<>();
        settings.values().stream()
                .filter(setting -> !given.hasMatchedOption(setting.option()))
                .forEach(setting -> all.addAll(setting.arguments()));
        List<String> own = given.originalArgs();
        all.addAll(own.subList(own.indexOf(spec.name()) + 1, own.size()));
        return all.toArray(String[]::new);
    }

    /** The message, preceded by file and line of the first option that it mentions. */
    String located(String message) {
        return settings.values().stream()
                .filter(setting ->
                        message.matches("(?s).*" + setting.option().longestName() + "(?![a-z-]).*"))
                .findFirst()
                .map(setting -> setting.where() + ": " + message)
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
        if (option.isEmpty() && name.endsWith("-" + OWN_VALUE_KEY)) {
            option = option(name.substring(0, name.length() - OWN_VALUE_KEY.length() - 1));
        }
        if (option.isEmpty()) {
            errors.add(where(value) + ": there is no setting '" + name + "'" + suggestion(name));
            return;
        }
        List<String> values =
                value instanceof ConfigList list
                        ? list.stream().map(item -> String.valueOf(item.unwrapped())).toList()
                        : List.of(String.valueOf(value.unwrapped()));
        String key = option.get().longestName().substring(2);
        if (value instanceof ConfigList && !option.get().isMultiValue()) {
            errors.add(where(value) + ": " + key + " takes one value, not a list");
        } else {
            settings.put(key, new Setting(option.get(), values, where(value)));
        }
    }

    private Optional<OptionSpec> option(String key) {
        return spec.options().stream()
                .filter(option -> key(option).filter(key::equals).isPresent())
                .findFirst();
    }

    /** Parses one value separately, so that each wrong value is reported. */
    private void check(Setting setting, CommandLine command) {
        if (setting.option().arity().max() == 0) {
            if (!setting.values().getFirst().matches("true|false")) {
                errors.add(setting.where() + ": " + key(setting) + " must be true or false");
            }
            return;
        }
        try {
            command.parseArgs(setting.arguments().toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            String label = setting.option().paramLabel();
            errors.add(
                    setting.where()
                            + ": "
                            + UsageErrors.text(e).replaceFirst("^--", "")
                            + "; expected: "
                            + key(setting)
                            + " = "
                            + label);
        }
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
