package dev.wishdir.app.command;

import picocli.CommandLine.IVersionProvider;

/** The version of this program, read from its jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"wishdir " + text()};
    }

    /** The version only, without the program's name. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
