/** Files that outlive the server: bans, race times, maps and keys. */
@NullMarked
package dev.wishdir.app.serve.file;

import org.jspecify.annotations.NullMarked;
