/** The web server, the live map, and the explorer of captures. */
@NullMarked
package dev.wishdir.web;

import org.jspecify.annotations.NullMarked;
