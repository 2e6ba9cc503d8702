/**
 * Commands that analyse recordings: tables, SQL, reports, and movements validated again.
 * docs/recordings-analysis.md describes tables and columns.
 */
@NullMarked
package dev.wishdir.app.analysis;

import org.jspecify.annotations.NullMarked;
