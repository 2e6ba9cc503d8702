/** Pages for browsers: the live map, and a server for pages of others. */
@NullMarked
package dev.wishdir.web;

import org.jspecify.annotations.NullMarked;
