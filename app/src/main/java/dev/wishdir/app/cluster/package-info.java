/** The node of a server that is one of several with one arena. */
@NullMarked
package dev.wishdir.app.cluster;

import org.jspecify.annotations.NullMarked;
