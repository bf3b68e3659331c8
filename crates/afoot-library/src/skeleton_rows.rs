//! The rows of skeletons. Clips with equal skeletons share one row.

use std::collections::HashMap;
use std::sync::Arc;

use afoot_core::Skeleton;
use rusqlite::{Connection, OptionalExtension, params};

use crate::entry::SkeletonEntry;
use crate::rows::Rows;
use afoot_codec::ContentHash;

/// The number of a skeleton, which is added under the name of `clip` if it is new.
pub(crate) fn insert_skeleton(
    connection: &Connection,
    skeleton: &Skeleton,
    clip: &str,
) -> Rows<i64> {
    let body = skeleton.to_bytes();
    let hash = ContentHash::of(&body);
    let known: Option<i64> = connection
        .prepare_cached("SELECT id FROM skeletons WHERE hash = ?1")?
        .query_row([hash.0], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(id);
    }
    let taken = |name: &str| -> rusqlite::Result<bool> {
        connection
            .prepare_cached("SELECT 1 FROM skeletons WHERE name = ?1")?
            .exists([name])
    };
    let mut name = clip.to_owned();
    let mut number = 2;
    while taken(&name)? {
        name = format!("{clip}_{number}");
        number += 1;
    }
    connection
        .prepare_cached("INSERT INTO skeletons (name, hash, body) VALUES (?1, ?2, ?3)")?
        .execute(params![name, hash.0, body])?;
    Ok(connection.last_insert_rowid())
}

/// Every skeleton that can be read, in the order of adding. One that can't costs the clips that have
/// it, which say so when they are loaded.
pub(crate) fn list_skeletons(connection: &Connection) -> Rows<Vec<SkeletonEntry>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, hash, body, (SELECT count(*) FROM clips WHERE skeleton = skeletons.id) \
         FROM skeletons ORDER BY id",
    )?;
    let mut rows = statement.query([])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, body): (String, Vec<u8>) = (row.get(1)?, row.get(3)?);
        let hash = ContentHash(row.get(2)?);
        if ContentHash::of(&body) != hash {
            continue;
        }
        let Ok(skeleton) = Skeleton::from_bytes(&body) else {
            continue;
        };
        entries.push(SkeletonEntry {
            id: row.get(0)?,
            hash,
            skeleton: Arc::new(skeleton),
            clips: row.get(4)?,
            name,
        });
    }
    Ok(entries)
}

/// Skeletons by number.
pub(crate) fn skeleton_map(connection: &Connection) -> Rows<HashMap<i64, Arc<Skeleton>>> {
    let entries = list_skeletons(connection)?;
    Ok(entries
        .into_iter()
        .map(|entry| (entry.id, entry.skeleton))
        .collect())
}
