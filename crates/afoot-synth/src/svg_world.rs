//! A world drawn as SVG: every closed shape is an obstacle, unless its id says what it is.
//!
//! `bounds` (else all that is drawn, with its frame), `river`, `region_WORD` and `never_WORD` (motion there carries
//! the word, or does not), `height_0.2` (raised ground), `start` and `goal` (the middle of the shape); what
//! follows a second underscore tells shapes apart and means nothing. x is x, y is z, a user unit a metre
//! unless told otherwise, as in drawings of paths. Circles come as polygons that are true to a millimetre.

use afoot_core::bounds_of;
use afoot_world::{Obstacle, Raised, Region, River, World, WorldError};
use thiserror::Error;

use crate::svg::{DrawingOptions, DrawnShape, SvgError, read_shapes};

/// Why a drawing gives no world.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)] // the messages say it
pub enum DrawnWorldError {
    #[error(transparent)]
    Svg(#[from] SvgError),
    #[error(transparent)]
    World(#[from] WorldError),
    #[error("{id:?} does not say how high it is; expected an id such as height_0.2")]
    Height { id: String },
}

/// The world that a drawing shows.
pub fn read_world(text: &str, options: &DrawingOptions) -> Result<World, DrawnWorldError> {
    let shapes = read_shapes(text, options)?;
    let bounds = shapes.iter().find(|shape| shape.id == "bounds");
    let framed: Vec<&DrawnShape> = match bounds {
        Some(bounds) => vec![bounds],
        None => shapes.iter().collect(),
    };
    let mut world = World::from_json(r#"{"bounds": [[0,0],[1,1]]}"#)?;
    world.bounds = bounds_of(framed.iter().flat_map(|shape| &shape.outline));
    for shape in shapes.iter().filter(|shape| shape.id != "bounds") {
        put(&mut world, shape)?;
    }
    world.check()?;
    Ok(world)
}

/// Puts a shape where its id says.
fn put(world: &mut World, shape: &DrawnShape) -> Result<(), DrawnWorldError> {
    let polygon = shape.outline.clone();
    let mut words = shape.id.split('_');
    let (kind, word) = (words.next().unwrap_or(""), words.next());
    let region = |only: Vec<String>, never: Vec<String>| Region {
        polygon: polygon.clone(),
        only,
        never,
    };
    let [low, high] = bounds_of(&polygon);
    let middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
    match (kind, word) {
        ("river", _) => world.rivers.push(River {
            polygon,
            over: vec!["jump".into()],
        }),
        ("region", Some(word)) => world.regions.push(region(vec![word.into()], Vec::new())),
        ("never", Some(word)) => world.regions.push(region(Vec::new(), vec![word.into()])),
        ("height", word) => {
            let height = word.and_then(|word| word.parse().ok());
            let id = shape.id.clone();
            let height = height.ok_or(DrawnWorldError::Height { id })?;
            world.heights.push(Raised {
                polygon,
                height,
                only: Vec::new(),
            });
        }
        ("start", _) => world.starts.push(middle),
        ("goal", _) => world.goals.push(middle),
        _ => world.obstacles.push(Obstacle::Polygon(polygon)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_become_what_their_ids_say() {
        let text = r#"<svg viewBox="0 0 7 8"><rect id="bounds" width="7" height="8" fill="none" stroke="black"/>
            <circle cx="2" cy="2" r="0.5"/><polygon points="4,4 6,4 6,5 4,5"/>
            <rect id="region_step" x="0" y="6" width="7" height="0.4"/><rect id="river_1" x="1" y="7" width="1" height="0.5"/>
            <rect id="height_0.2_box" x="5" y="1" width="1" height="1"/><circle id="goal" cx="3" cy="5.2" r="0.1"/></svg>"#;
        let world = read_world(text, &DrawingOptions::default()).unwrap();
        assert_eq!(world.bounds, [[0.0, 0.0], [7.0, 8.0]]);
        assert_eq!((world.obstacles.len(), world.regions.len()), (2, 1));
        assert_eq!(world.regions[0].only, ["step"]);
        assert_eq!((world.rivers.len(), world.heights[0].height), (1, 0.2));
        assert!((world.goals[0][0] - 3.0).abs() < 1e-3 && (world.goals[0][1] - 5.2).abs() < 1e-3);
        let room = world.clearance([2.0, 3.0]);
        assert!((room - 0.5).abs() < 2e-3, "{room}");
        let bow = r#"<svg viewBox="0 0 7 8"><polygon points="1,1 2,2 2,1 1,2"/></svg>"#;
        let error = read_world(bow, &DrawingOptions::default()).unwrap_err();
        assert!(error.to_string().contains("crosses itself"), "{error}");
    }
}
