package dev.wishdir.interop;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The classes of all modules without their tests. Reading them takes seconds, so they are read
 * once.
 */
final class ProductionClasses {
    static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .withImportOption(location -> !location.contains("jmh_generated"))
                    .importPackages("dev.wishdir");

    /** Without what protoc makes of the schemas. */
    static final JavaClasses WRITTEN_BY_HAND =
            ALL.that(
                    DescribedPredicate.describe(
                            "written by hand",
                            (JavaClass type) ->
                                    !type.getPackageName()
                                            .matches(
                                                    "dev[.]wishdir[.](record[.](v1|foxglove)|cluster[.]v1)")));

    private ProductionClasses() {}
}
