package dev.wishdir.app.analysis;

import java.util.List;
import java.util.Locale;

/**
 * A table about recordings. Names and types of columns are a contract: docs/recordings-analysis.md.
 */
enum Table {
    RECORDINGS(
            text("recording"),
            text("software"),
            text("server"),
            text("arena"),
            time("started"),
            seconds("seconds")),
    PLAYERS(
            text("recording"),
            integer("node"),
            integer("player"),
            text("game"),
            text("name"),
            time("joined"),
            seconds("joined_elapsed"),
            time("gone"),
            seconds("gone_elapsed"),
            text("reason"),
            integer("ping"),
            integer("movements"),
            text("proof"),
            text("key")),
    MOVEMENTS(
            text("recording"),
            time("time"),
            seconds("elapsed"),
            integer("node"),
            integer("player"),
            text("game"),
            integer("track"),
            number("x"),
            number("y"),
            number("z"),
            number("yaw"),
            number("pitch"),
            number("vx"),
            number("vy"),
            number("vz"),
            integer("stance"),
            flag("on_ground")),
    EVENTS(
            text("recording"),
            time("time"),
            seconds("elapsed"),
            text("event"),
            integer("node"),
            integer("player"),
            text("game"),
            text("name"),
            number("x"),
            number("y"),
            number("z"),
            text("code"),
            text("text")),
    CHAT(
            text("recording"),
            time("time"),
            seconds("elapsed"),
            integer("node"),
            integer("player"),
            text("game"),
            text("name"),
            text("text")),
    VIOLATIONS(
            text("recording"),
            time("time"),
            seconds("elapsed"),
            integer("node"),
            integer("player"),
            text("game"),
            text("name"),
            text("rule"),
            text("unit"),
            seconds("measured"),
            seconds("allowed"),
            seconds("allowance"),
            number("x"),
            number("y"),
            number("z")),
    HITS(
            text("recording"),
            time("time"),
            seconds("elapsed"),
            integer("node"),
            integer("player"),
            text("game"),
            text("name"),
            integer("attacker_node"),
            integer("attacker"),
            text("attacker_game"),
            text("attacker_name"),
            text("means"),
            number("damage"),
            number("health"),
            number("armour"),
            number("x"),
            number("y"),
            number("z"),
            number("kx"),
            number("ky"),
            number("kz"));

    /** The type of a column's values, with its name in SQL. */
    enum Type {
        TEXT("varchar"),
        INTEGER("integer"),
        /** A number of single precision, as recordings have them. */
        FLOAT("float"),
        DOUBLE("double"),
        BOOLEAN("boolean"),
        /** A time; in CSV and JSON, seconds since 1970. */
        TIME("timestamp");

        private final String sql;

        Type(String sql) {
            this.sql = sql;
        }

        String sql() {
            return sql;
        }
    }

    /** A column. */
    record Column(String name, Type type) {}

    private final List<Column> columns;

    Table(Column... columns) {
        this.columns = List.of(columns);
    }

    private static Column text(String name) {
        return new Column(name, Type.TEXT);
    }

    private static Column integer(String name) {
        return new Column(name, Type.INTEGER);
    }

    private static Column number(String name) {
        return new Column(name, Type.FLOAT);
    }

    private static Column seconds(String name) {
        return new Column(name, Type.DOUBLE);
    }

    private static Column time(String name) {
        return new Column(name, Type.TIME);
    }

    private static Column flag(String name) {
        return new Column(name, Type.BOOLEAN);
    }

    List<Column> columns() {
        return columns;
    }

    /** Its name in SQL, and that of its file without the extension. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
