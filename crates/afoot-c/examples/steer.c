/* Steers many characters of one baked file, as a game does at 60 frames a second, and says how long a call takes.
 *
 *   steer hero.afootpack [characters] [seconds]
 *
 * Leaves out: drawing, and what a game does about walls. Exits with 1 where something is not as it must be. */
#include "afoot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void expect(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "not so: %s\n", what);
    exit(1);
  }
}

/* What is wrong is told by a code and leaves everything as it was. */
static void check_refusals(const AfootPack *pack, AfootCharacter *hero, float *pose, size_t size) {
  char text[4];
  AfootPack *other = NULL;
  AfootCharacter *nobody = NULL;
  expect(afoot_pack_open_file(NULL, &other, NULL, 0) == AfootResult_Null, "a null path is told");
  expect(afoot_pack_open_file("/no/such.afootpack", &other, text, sizeof text) == AfootResult_File, "a missing file is told");
  expect(afoot_pack_open_bytes((const uint8_t *)"BVH", 3, &other, text, sizeof text) == AfootResult_Pack, "other bytes are told");
  expect(other == NULL, "nothing was opened");
  expect(afoot_character_open(NULL, 0, 0, 0, 0, &nobody) == AfootResult_Null, "a null pack is told");
  expect(afoot_character_open(pack, NAN, 0, 0, 0, &nobody) == AfootResult_Value, "a place that is no number is told");
  expect(afoot_character_advance(NULL, 0.1, 0, -1, pose, size) == AfootResult_Null, "a null character is told");
  expect(afoot_character_advance(hero, 0.1, 0, -1, NULL, size) == AfootResult_Null, "a null buffer is told");
  expect(afoot_character_advance(hero, 0.1, 0, -1, pose, size - 1) == AfootResult_Short, "a short buffer is told");
  expect(afoot_character_advance(hero, NAN, 0, -1, pose, size) == AfootResult_Value, "a time that is no number is told");
  expect(afoot_character_advance(hero, 0.1, 0, 1000, pose, size) == AfootResult_None, "a word that is not there is told");
  expect(afoot_pack_joint_name(pack, 100000, text, sizeof text) == AfootResult_None, "a joint that is not there is told");
  expect(afoot_pack_joint_count(NULL) == 0 && afoot_pack_joint_parent(NULL, 0) == -1, "null has no joints");
  afoot_pack_close(NULL);
  afoot_character_close(NULL);
}

int main(int count, char **words) {
  if (count < 2) {
    fprintf(stderr, "steer hero.afootpack [characters] [seconds]\n");
    return 2;
  }
  size_t characters = count > 2 ? strtoul(words[2], NULL, 10) : 200;
  double seconds = count > 3 ? strtod(words[3], NULL) : 10.0;
  char message[200] = "";
  AfootPack *pack = NULL;
  if (afoot_pack_open_file(words[1], &pack, message, sizeof message) != AfootResult_Ok) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  size_t size = 3 + 4 * afoot_pack_joint_count(pack), points = 3 * afoot_pack_point_count(pack);
  float *pose = malloc(size * sizeof *pose), *places = malloc(points * sizeof *places);
  AfootCharacter **all = calloc(characters, sizeof *all);
  double *from = calloc(characters, sizeof *from);
  for (size_t i = 0; i < characters; i++) {
    double x = (double)(i % 20), z = (double)(i / 20);
    expect(afoot_character_open(pack, x, z, 0, (uint32_t)i, &all[i]) == AfootResult_Ok, "a character is opened");
  }
  check_refusals(pack, all[0], pose, size);

  size_t frames = (size_t)(60 * seconds);
  double total = 0, worst = 0;
  for (size_t frame = 0; frame < frames; frame++) {
    double begun = now();
    for (size_t i = 0; i < characters; i++) {
      /* Everybody wants somewhere else, and something new every two seconds. */
      double wish = fmod(0.7 * (double)i + 2.4 * (double)(frame / 120), 6.2831853);
      expect(afoot_character_advance(all[i], 1.0 / 60, wish, -1, pose, size) == AfootResult_Ok, "a character is advanced");
      if (frame == 0) from[i] = pose[2];
    }
    double took = now() - begun;
    total += took;
    if (took > worst) worst = took;
  }
  size_t moved = 0;
  for (size_t i = 0; i < characters; i++) {
    expect(afoot_character_points(all[i], places, points) == AfootResult_Ok, "points are told");
    expect(afoot_character_points(all[i], places, points - 1) == AfootResult_Short, "a short buffer is told");
    expect(isfinite(places[0]) && places[1] > 0.3 && places[1] < 3, "hips are where hips are");
    moved += fabs(places[2] - from[i]) > 0.1;
  }
  expect(2 * moved > characters || seconds < 2, "most have moved");
  /* A pack may be closed before its characters. */
  afoot_pack_close(pack);
  expect(afoot_character_advance(all[0], 1.0 / 60, 0, -1, pose, size) == AfootResult_Ok, "and they go on");
  printf("{\"characters\": %zu, \"frames\": %zu, \"microseconds_per_call\": %.3f, \"worst_frame_ms\": %.3f, \"core_share\": %.4f}\n",
         characters, frames, 1e6 * total / (double)(frames * characters), 1e3 * worst, total / seconds);
  for (size_t i = 0; i < characters; i++) afoot_character_close(all[i]);
  free(all);
  free(from);
  free(pose);
  free(places);
  return 0;
}
