// What the loader gives to the engine (viewer/src/play/engine.ts); here only so that the linker knows the name and still
// refuses every other that nobody defines.
mergeInto(LibraryManager.library, {play_clock: function() { return 0; }});
