//! The rows of clips: writing them, reading them, and their digests.

use std::sync::Arc;

use afoot_analyze::faults::Fingerprint;
use afoot_core::{Clip, FrameRate, Locomotion, Skeleton};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::annotations::Annotations;
use crate::entry::{ClipEntry, ClipNumber, kind_of, shares_of};
use crate::facts::ClipFacts;
use crate::record::{
    empty_clip, motion_hash, read_annotations, read_motion, read_tracks, read_types,
    write_annotations, write_motion, write_tracks,
};
use crate::skeleton_rows::insert_skeleton;
use afoot_codec::{ContentHash, Digest};
use afoot_codec::{Malformed, Reader, Writer};

/// Trouble below the level of files.
#[derive(Debug)]
pub(crate) enum RowError {
    Sql(rusqlite::Error),
    /// What does not fit its digest or can't be decoded.
    Damaged(String),
    /// The same of one clip alone.
    DamagedClip(Damage),
    /// The clip asked for.
    NoClip(String),
    /// The name asked for.
    NameTaken(String),
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

pub(crate) type Rows<T> = Result<T, RowError>;

/// Something in a library that can't be read. Whatever is not named is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The clip that it costs; `None` where a clip got lost without its name.
    pub clip: Option<String>,
    /// What does not fit its digest or can't be decoded.
    pub what: String,
}

impl Damage {
    pub(crate) fn of_clip(name: &str, what: impl Into<String>) -> Self {
        Self {
            clip: Some(name.into()),
            what: what.into(),
        }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.clip {
            Some(name) => write!(f, "clip {name:?} is damaged: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// The clips that can be read, in the order of adding, and what can't.
#[derive(Default)]
pub(crate) struct Listing {
    pub entries: Vec<ClipEntry>,
    pub damage: Vec<Damage>,
}

const COLUMNS: &str = "id, name, skeleton, frames, rate_numerator, rate_denominator, \
    motion_hash, kind, shares, labels, facts, fingerprint, motion_sum, tracks_sum, row_sum";

/// Every clip, checked against its digest and against the digest of them all. A row that can't be
/// read costs that clip alone.
pub(crate) fn list_clips(connection: &Connection) -> Rows<Listing> {
    let query = format!("SELECT {COLUMNS} FROM clips ORDER BY id");
    let mut statement = connection.prepare_cached(&query)?;
    let mut rows = statement.query([])?;
    let (mut listing, mut joined, mut count) = (Listing::default(), [0u8; 16], 0);
    while let Some(row) = rows.next()? {
        count += 1;
        if let Ok(sum) = row.get("row_sum") {
            join(&mut joined, &ContentHash(sum));
        }
        match read_entry(row) {
            Ok(entry) => listing.entries.push(entry),
            Err(RowError::DamagedClip(damage)) => listing.damage.push(damage),
            Err(error) => return Err(error),
        }
    }
    let (stated, stored) = read_state(connection)?;
    if listing.damage.is_empty() && (stated, stored) != (count, joined) {
        listing.damage.push(Damage {
            clip: None,
            what: format!("the list of clips is not whole ({count} of {stated})"),
        });
    }
    Ok(listing)
}

/// One clip without its motion.
pub(crate) fn find_clip(connection: &Connection, name: &str) -> Rows<Option<ClipEntry>> {
    let query = format!("SELECT {COLUMNS} FROM clips WHERE name = ?1");
    let mut statement = connection.prepare_cached(&query)?;
    let mut rows = statement.query([name])?;
    match rows.next()? {
        None => Ok(None),
        Some(row) => read_entry(row).map(Some),
    }
}

/// One clip without its motion, which must be there.
pub(crate) fn get_clip(connection: &Connection, name: &str) -> Rows<ClipEntry> {
    find_clip(connection, name)?.ok_or_else(|| RowError::NoClip(name.into()))
}

fn read_entry(row: &Row) -> Rows<ClipEntry> {
    let name: String = match row.get("name") {
        Ok(name) => name,
        Err(_) => {
            let id: i64 = row.get("id")?;
            let damage = Damage::of_clip(&format!("number {id}"), "its name can't be read");
            return Err(RowError::DamagedClip(damage));
        }
    };
    let damaged = |what: &str| RowError::DamagedClip(Damage::of_clip(&name, what));
    let entry = columns(row, &name).map_err(|error| match error {
        // A value of another type than was written.
        RowError::Sql(error) if error.sqlite_error().is_none() => damaged(&error.to_string()),
        RowError::Damaged(what) => damaged(&what),
        error => error,
    });
    let (entry, facts) = entry?;
    match row_sum(&entry, &facts) == entry.row_sum {
        true => Ok(named_anew(entry)),
        false => Err(damaged("its row does not fit its digest")),
    }
}

/// Earlier programs called a clip `Other` unless nearly all of its frames were of one type; the shares that they
/// kept say what it is. Rows of the first had none.
fn named_anew(entry: ClipEntry) -> ClipEntry {
    let kind = match entry.shares.iter().any(|share| *share > 0.0) {
        true => kind_of(&entry.shares),
        false => entry.kind,
    };
    ClipEntry { kind, ..entry }
}

/// The values of a row, and its facts as they were written.
fn columns(row: &Row, name: &str) -> Rows<(ClipEntry, String)> {
    let damaged = |what: &str| RowError::Damaged(format!("{what} can't be read"));
    let labels: Vec<u8> = row.get("labels")?;
    let facts: String = row.get("facts")?;
    let rate = FrameRate::new(row.get("rate_numerator")?, row.get("rate_denominator")?);
    let entry = ClipEntry {
        id: ClipNumber(row.get("id")?),
        skeleton: row.get("skeleton")?,
        frames: row.get("frames")?,
        rate: rate.ok_or_else(|| damaged("the frame rate"))?,
        kind: Locomotion::ALL
            .get(row.get::<_, u8>("kind")? as usize)
            .copied()
            .ok_or_else(|| damaged("the type"))?,
        shares: read_shares(&row.get::<_, Vec<u8>>("shares")?)
            .map_err(|_| damaged("the shares of types"))?,
        annotations: read_annotations(&labels).map_err(|_| damaged("the labels"))?,
        facts: serde_json::from_str::<ClipFacts>(&facts).map_err(|_| damaged("the facts"))?,
        motion_hash: ContentHash(row.get("motion_hash")?),
        tracks_sum: ContentHash(row.get("tracks_sum")?),
        motion_sum: ContentHash(row.get("motion_sum")?),
        fingerprint: row.get("fingerprint")?,
        row_sum: ContentHash(row.get("row_sum")?),
        name: name.into(),
    };
    Ok((entry, facts))
}

fn row_sum(entry: &ClipEntry, facts: &str) -> ContentHash {
    let (numerator, denominator) = entry.rate.parts();
    let mut digest = Digest::default();
    digest.add(&entry.id.0.to_le_bytes());
    digest.add(entry.name.as_bytes());
    digest.add(&entry.skeleton.to_le_bytes());
    for number in [entry.frames, numerator, denominator, entry.kind as u32] {
        digest.add(&number.to_le_bytes());
    }
    entry
        .shares
        .iter()
        .for_each(|share| digest.add(&share.to_le_bytes()));
    digest.add(&write_annotations(&entry.annotations));
    digest.add(facts.as_bytes());
    digest.add(&entry.fingerprint);
    for hash in [entry.motion_hash, entry.motion_sum, entry.tracks_sum] {
        digest.add(&hash.0);
    }
    digest.finish()
}

/// Adds a clip under its name; its skeleton goes along if it is new.
pub(crate) fn insert_clip(
    connection: &Connection,
    clip: &Clip,
    facts: &ClipFacts,
    print: &Fingerprint,
) -> Rows<ClipNumber> {
    if find_clip(connection, &clip.name)?.is_some() {
        return Err(RowError::NameTaken(clip.name.clone()));
    }
    let skeleton = insert_skeleton(connection, &clip.skeleton, &clip.name)?;
    let (motion, tracks) = (write_motion(clip), write_tracks(clip));
    let entry = ClipEntry {
        id: next_id(connection)?,
        name: clip.name.clone(),
        skeleton,
        frames: clip.len() as u32,
        rate: clip.rate,
        kind: kind_of(&shares_of(&clip.types)),
        shares: shares_of(&clip.types),
        annotations: Annotations {
            labels: clip.labels.clone(),
            ..Annotations::default()
        },
        facts: facts.clone(),
        motion_hash: motion_hash(clip),
        tracks_sum: ContentHash::of(&tracks),
        motion_sum: ContentHash::of(&motion),
        fingerprint: write_fingerprint(print),
        row_sum: ContentHash::default(), // worked out when the row is written
    };
    insert_entry(connection, &entry)?;
    connection
        .prepare_cached("INSERT INTO motions VALUES (?1, ?2, ?3)")?
        .execute(params![entry.id.0, motion, tracks])?;
    Ok(entry.id)
}

/// Puts another motion and other facts in the place of a clip's; number, name, annotations and
/// fingerprint stay. The types of `clip` are those that were found.
pub(crate) fn replace_clip(
    connection: &Connection,
    old: &ClipEntry,
    clip: &Clip,
    facts: &ClipFacts,
) -> Rows<()> {
    let skeleton = insert_skeleton(connection, &clip.skeleton, &clip.name)?;
    let (motion, tracks) = (write_motion(clip), write_tracks(clip));
    let types = old.annotations.types(&clip.types);
    let new = ClipEntry {
        skeleton,
        frames: clip.len() as u32,
        rate: clip.rate,
        kind: kind_of(&shares_of(&types)),
        shares: shares_of(&types),
        facts: facts.clone(),
        motion_hash: motion_hash(clip),
        tracks_sum: ContentHash::of(&tracks),
        motion_sum: ContentHash::of(&motion),
        ..old.clone()
    };
    delete_clip(connection, old)?;
    insert_entry(connection, &new)?;
    connection
        .prepare_cached("INSERT INTO motions VALUES (?1, ?2, ?3)")?
        .execute(params![new.id.0, motion, tracks])?;
    Ok(())
}

/// The number after the highest ever given, so that numbers are never used twice.
fn next_id(connection: &Connection) -> Rows<ClipNumber> {
    let query = "SELECT seq FROM sqlite_sequence WHERE name = 'clips'";
    let last: Option<i64> = connection
        .query_row(query, [], |row| row.get(0))
        .optional()?;
    Ok(ClipNumber(last.unwrap_or(0) + 1))
}

fn insert_entry(connection: &Connection, entry: &ClipEntry) -> Rows<()> {
    let facts = facts_text(&entry.facts);
    let sum = row_sum(entry, &facts);
    let (numerator, denominator) = entry.rate.parts();
    let query = format!(
        "INSERT INTO clips ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)"
    );
    connection.prepare_cached(&query)?.execute(params![
        entry.id.0,
        entry.name,
        entry.skeleton,
        entry.frames,
        numerator,
        denominator,
        entry.motion_hash.0,
        entry.kind as u8,
        write_shares(&entry.shares),
        write_annotations(&entry.annotations),
        facts,
        entry.fingerprint,
        entry.motion_sum.0,
        entry.tracks_sum.0,
        sum.0,
    ])?;
    change_state(connection, 1, &[sum])
}

/// Replaces a row by one with the same number.
pub(crate) fn update_entry(connection: &Connection, old: &ClipEntry, new: &ClipEntry) -> Rows<()> {
    let facts = facts_text(&new.facts);
    let sum = row_sum(new, &facts);
    connection
        .prepare_cached(
            "UPDATE clips SET name = ?2, labels = ?3, facts = ?4, kind = ?5, shares = ?6, \
             tracks_sum = ?7, row_sum = ?8 WHERE id = ?1",
        )?
        .execute(params![
            new.id.0,
            new.name,
            write_annotations(&new.annotations),
            facts,
            new.kind as u8,
            write_shares(&new.shares),
            new.tracks_sum.0,
            sum.0
        ])?;
    change_state(connection, 0, &[old.row_sum, sum])
}

/// Replaces contacts, types, faults and floor of a clip.
pub(crate) fn update_tracks(connection: &Connection, old: &ClipEntry, clip: &Clip) -> Rows<()> {
    let tracks = write_tracks(clip);
    let types = old.annotations.types(&clip.types);
    let new = ClipEntry {
        kind: kind_of(&shares_of(&types)),
        shares: shares_of(&types),
        tracks_sum: ContentHash::of(&tracks),
        ..old.clone()
    };
    connection
        .prepare_cached("UPDATE motions SET tracks = ?2 WHERE clip = ?1")?
        .execute(params![old.id.0, tracks])?;
    update_entry(connection, old, &new)
}

/// Replaces what was said of a clip's frames, and with it which of the types found count.
pub(crate) fn update_annotations(
    connection: &Connection,
    old: &ClipEntry,
    annotations: Annotations,
) -> Rows<()> {
    let tracks = read_tracks_blob(connection, old)?;
    let damaged = |_| damaged_motion(old);
    let types = annotations.types(&read_types(&tracks).map_err(damaged)?);
    let new = ClipEntry {
        kind: kind_of(&shares_of(&types)),
        shares: shares_of(&types),
        annotations,
        ..old.clone()
    };
    update_entry(connection, old, &new)
}

/// Removes a clip, and its skeleton with the last clip that had it.
pub(crate) fn delete_clip(connection: &Connection, entry: &ClipEntry) -> Rows<()> {
    connection.execute("DELETE FROM motions WHERE clip = ?1", [entry.id.0])?;
    connection.execute("DELETE FROM clips WHERE id = ?1", [entry.id.0])?;
    connection.execute(
        "DELETE FROM skeletons WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM clips WHERE skeleton = ?1)",
        [entry.skeleton],
    )?;
    change_state(connection, -1, &[entry.row_sum])
}

/// Removes the row of a clip that can't be read, and what belongs to it.
pub(crate) fn delete_damaged(connection: &Connection, name: &str) -> Rows<()> {
    let query = "SELECT id FROM clips WHERE name = ?1 OR 'number ' || id = ?1";
    let id: i64 = connection.query_row(query, [name], |row| row.get(0))?;
    connection.execute("DELETE FROM motions WHERE clip = ?1", [id])?;
    connection.execute("DELETE FROM clips WHERE id = ?1", [id])?;
    tidy(connection)
}

/// Removes what belongs to no clip, and counts the clips anew.
pub(crate) fn tidy(connection: &Connection) -> Rows<()> {
    connection.execute_batch(
        "DELETE FROM motions WHERE clip NOT IN (SELECT id FROM clips);
         DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM clips);",
    )?;
    let mut statement = connection.prepare("SELECT row_sum FROM clips")?;
    let mut rows = statement.query([])?;
    let (mut count, mut joined) = (0i64, [0u8; 16]);
    while let Some(row) = rows.next()? {
        count += 1;
        if let Ok(sum) = row.get(0) {
            join(&mut joined, &ContentHash(sum));
        }
    }
    connection
        .prepare_cached("INSERT OR REPLACE INTO state VALUES (1, ?1, ?2)")?
        .execute(params![count, joined])?;
    Ok(())
}

fn damaged_motion(entry: &ClipEntry) -> RowError {
    RowError::DamagedClip(Damage::of_clip(&entry.name, "its motion can't be read"))
}

/// The tracks of a clip alone, checked against their digest.
fn read_tracks_blob(connection: &Connection, entry: &ClipEntry) -> Rows<Vec<u8>> {
    let tracks: Option<Vec<u8>> = connection
        .prepare_cached("SELECT tracks FROM motions WHERE clip = ?1")?
        .query_row([entry.id.0], |row| row.get(0))
        .optional()?;
    let whole = tracks.filter(|tracks| ContentHash::of(tracks) == entry.tracks_sum);
    whole.ok_or_else(|| damaged_motion(entry))
}

/// Whether a clip that was listed has the same motion and tracks still, and was not removed meanwhile.
pub(crate) fn is_as_listed(connection: &Connection, entry: &ClipEntry) -> Rows<bool> {
    let sums: Option<[ContentHash; 2]> = connection
        .prepare_cached("SELECT motion_sum, tracks_sum FROM clips WHERE id = ?1")?
        .query_row([entry.id.0], |row| {
            Ok([ContentHash(row.get(0)?), ContentHash(row.get(1)?)])
        })
        .optional()?;
    Ok(sums == Some([entry.motion_sum, entry.tracks_sum]))
}

/// The motion and tracks of a clip, still packed; [`unpack_clip`] checks them against their digests.
pub(crate) fn read_blobs(connection: &Connection, entry: &ClipEntry) -> Rows<[Vec<u8>; 2]> {
    let damaged = || damaged_motion(entry);
    let blobs: Option<[Vec<u8>; 2]> = connection
        .prepare_cached("SELECT motion, tracks FROM motions WHERE clip = ?1")?
        .query_row([entry.id.0], |row| Ok([row.get(0)?, row.get(1)?]))
        .optional()?;
    blobs.ok_or_else(damaged)
}

/// A whole clip from its packed parts.
pub(crate) fn unpack_clip(
    entry: &ClipEntry,
    skeleton: &Arc<Skeleton>,
    [motion, tracks]: &[Vec<u8>; 2],
) -> Rows<Clip> {
    let damaged = || damaged_motion(entry);
    let sums = [ContentHash::of(motion), ContentHash::of(tracks)];
    if sums != [entry.motion_sum, entry.tracks_sum] {
        return Err(damaged());
    }
    let mut clip = empty_clip(&entry.name, skeleton, entry.rate);
    read_motion(motion, &mut clip).map_err(|_| damaged())?;
    read_tracks(tracks, &mut clip).map_err(|_| damaged())?;
    clip.labels = entry.annotations.carried();
    let excluded = entry.annotations.excluded();
    clip.faults
        .extend(excluded.map(|span| span.start..span.end));
    clip.faults.sort_by_key(|fault| (fault.start, fault.end));
    clip.types = entry.annotations.types(&clip.types);
    match clip.len() == entry.frames as usize && clip.check().is_ok() {
        true => Ok(clip),
        false => Err(damaged()),
    }
}

fn read_state(connection: &Connection) -> Rows<(i64, [u8; 16])> {
    let query = "SELECT clips, joined FROM state WHERE one = 1";
    let row = connection.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?)));
    row.optional()?
        .ok_or_else(|| RowError::Damaged("its state is missing".into()))
}

fn change_state(connection: &Connection, by: i64, sums: &[ContentHash]) -> Rows<()> {
    let (count, mut joined) = read_state(connection)?;
    sums.iter().for_each(|sum| join(&mut joined, sum));
    connection
        .prepare_cached("UPDATE state SET clips = ?1, joined = ?2 WHERE one = 1")?
        .execute(params![count + by, joined])?;
    Ok(())
}

/// Exclusive or: rows may come and go in any order.
fn join(joined: &mut [u8; 16], sum: &ContentHash) {
    joined
        .iter_mut()
        .zip(sum.0)
        .for_each(|(byte, other)| *byte ^= other);
}

fn facts_text(facts: &ClipFacts) -> String {
    // Strings and finite numbers always serialise; a NaN becomes null and reads as absent.
    serde_json::to_string(facts).unwrap_or_default()
}

fn write_shares(shares: &[f32; 5]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.f32s(shares);
    writer.bytes
}

fn read_shares(bytes: &[u8]) -> Result<[f32; 5], Malformed> {
    let mut reader = Reader::new(bytes);
    let shares = reader.f32s()?;
    reader.end().map(|()| shares)
}

fn write_fingerprint(print: &Fingerprint) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.u32(print.frames);
    writer.u32(print.joints);
    writer.f32s(&print.sums);
    writer.bytes
}

/// The print that was stored with a clip.
pub(crate) fn read_fingerprint(bytes: &[u8]) -> Result<Fingerprint, Malformed> {
    let mut reader = Reader::new(bytes);
    let (frames, joints) = (reader.u32()?, reader.u32()?);
    let sums = (0..bytes.len().saturating_sub(8) / 4).map(|_| reader.f32());
    Ok(Fingerprint {
        frames,
        joints,
        sums: sums.collect::<Result<_, _>>()?,
    })
}
