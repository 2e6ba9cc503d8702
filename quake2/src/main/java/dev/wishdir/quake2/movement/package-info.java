/**
 * Player physics: conversion to and from canonical movement, and how commands move a body among
 * others. Uses the messages.
 */
@NullMarked
package dev.wishdir.quake2.movement;

import org.jspecify.annotations.NullMarked;
