/* Baked characters of Afoot: open a pack (`afoot bake LIB -o hero.afootpack`), advance characters, poses into
   your own buffers. Metres, seconds, radians, y up; a yaw of 0 looks along +z.
   Made of the Rust sources by the test `header` of afoot-c; see docs/engines.md. */

#ifndef AFOOT_H
#define AFOOT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// How a call ended.
enum AfootResult
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done.
  AfootResult_Ok = 0,
  // A pointer that must not be null is.
  AfootResult_Null = 1,
  // A buffer is too short; nothing was written to it.
  AfootResult_Short = 2,
  // A file can't be read.
  AfootResult_File = 3,
  // These bytes are no pack, or damaged, or of another version; the message says which.
  AfootResult_Pack = 4,
  // There is no such joint, point or word.
  AfootResult_None = 5,
  // A number is not finite or a text no UTF-8.
  AfootResult_Value = 6,
  // A fault of the library itself; the character is not to be used any more.
  AfootResult_Fault = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum AfootResult AfootResult;
#else
typedef int32_t AfootResult;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A steered character.
typedef struct AfootCharacter AfootCharacter;

// A baked character's motion. Characters keep what they need of it: it may be closed before them.
typedef struct AfootPack AfootPack;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens a pack's file, which is mapped, not read. Free it with `afoot_pack_close`. `message` gets what
// is wrong, if something is; it may be null.
//
// # Safety
// `path` is null or a text that ends with a zero, `pack` null or a pointer that may be written,
// `message` null or `message_size` bytes that may be written. The file must not change while it is open.
AfootResult afoot_pack_open_file(const char *path, AfootPack **pack, char *message, size_t message_size);

// The same from bytes, which are copied.
//
// # Safety
// `bytes` is null or points to `size` bytes; the rest as for `afoot_pack_open_file`.
AfootResult afoot_pack_open_bytes(const uint8_t *bytes,
                                  size_t size,
                                  AfootPack **pack,
                                  char *message,
                                  size_t message_size);

// Frees a pack; null is nothing.
//
// # Safety
// `pack` is null or was opened here and not closed since.
void afoot_pack_close(AfootPack *pack);

// How many joints a pose has; 0 for null.
//
// # Safety
// `pack` is null or open.
size_t afoot_pack_joint_count(const AfootPack *pack);

// How many points a character has: its joints, then the ends of limbs; 0 for null.
//
// # Safety
// `pack` is null or open.
size_t afoot_pack_point_count(const AfootPack *pack);

// Frames per second of the captured motion; characters are advanced at any rate. 0 for null.
//
// # Safety
// `pack` is null or open.
double afoot_pack_fps(const AfootPack *pack);

// How many words can be wished for; 0 for null.
//
// # Safety
// `pack` is null or open.
size_t afoot_pack_word_count(const AfootPack *pack);

// The joint that a joint hangs on; -1 for the root, and where there is no such joint.
//
// # Safety
// `pack` is null or open.
int32_t afoot_pack_joint_parent(const AfootPack *pack, size_t joint);

// The joint that a point hangs on, joints first, then ends of limbs; -1 as above.
//
// # Safety
// `pack` is null or open.
int32_t afoot_pack_point_parent(const AfootPack *pack, size_t point);

// The name of a joint, with a closing zero, cut where the buffer is shorter.
//
// # Safety
// `pack` is null or open, `name` null or `size` bytes that may be written.
AfootResult afoot_pack_joint_name(const AfootPack *pack, size_t joint, char *name, size_t size);

// A word that can be wished for, in the same way.
//
// # Safety
// `pack` is null or open, `word` null or `size` bytes that may be written.
AfootResult afoot_pack_word(const AfootPack *pack, size_t index, char *word, size_t size);

// Puts a character at a place on the ground [m], facing a yaw [rad; 0 along +z, a quarter turn along
// +x]. `variant` says which moment of the motion it begins in, so that many are not in step. Free it with
// `afoot_character_close`.
//
// # Safety
// `pack` is null or open, `character` null or a pointer that may be written.
AfootResult afoot_character_open(const AfootPack *pack,
                                 double x,
                                 double z,
                                 double yaw,
                                 uint32_t variant,
                                 AfootCharacter **character);

// Lets `seconds` pass (at most a quarter) with the wish to move towards `direction`, a yaw [rad], as
// word number `word` says; -1 leaves the kind of motion open. `pose` gets the root's place (x, y, z in
// metres, y up), then the rotation of each joint against its parent (x, y, z, w): 3 + 4 × joints numbers.
// Asks for no memory.
//
// # Safety
// `character` is null or open and used by no other thread now, `pose` null or `pose_size` numbers that
// may be written.
AfootResult afoot_character_advance(AfootCharacter *character,
                                    double seconds,
                                    double direction,
                                    int32_t word,
                                    float *pose,
                                    size_t pose_size);

// Where the character's points are in the world now (x, y, z each, in metres): its joints, then the
// ends of limbs. 3 × points numbers.
//
// # Safety
// As for `afoot_character_advance`.
AfootResult afoot_character_points(AfootCharacter *character, float *points, size_t size);

// What touched the ground in the captured motion at the last frame, a bit each: 1 left heel, 2 left
// ball, 4 right heel, 8 right ball. 0 for null.
//
// # Safety
// `character` is null or open.
uint32_t afoot_character_contacts(const AfootCharacter *character);

// Frees a character; null is nothing.
//
// # Safety
// `character` is null or was opened here and not closed since.
void afoot_character_close(AfootCharacter *character);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* AFOOT_H */
