//! Naming conventions as data: every file in `role_names` is a hierarchy, indented, with the role
//! that each joint must get behind `->`, or none.

use std::path::Path;

use afoot_core::{Joint, JointId, Role, Skeleton, Vec3, mirror_partners, recognise_roles};

/// Joints and the roles they should have.
fn read_tree(text: &str) -> (Skeleton, Vec<Option<Role>>) {
    let (mut joints, mut roles): (Vec<Joint>, Vec<Option<Role>>) = Default::default();
    let mut path: Vec<JointId> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, role) = line.split_once("->").unwrap_or((line, "none"));
        path.truncate((name.len() - name.trim_start().len()) / 2);
        joints.push(Joint::new(name.trim(), path.last().copied(), Vec3::Y));
        roles.push(Role::from_name(role));
        path.push(JointId::from(joints.len() - 1));
    }
    (
        Skeleton::new(joints, vec![]).expect("a tree of distinct names"),
        roles,
    )
}

#[test]
fn every_convention_is_recognised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/role_names");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let (skeleton, expected) = read_tree(&std::fs::read_to_string(&path).expect("it is text"));
        let found = recognise_roles(&skeleton);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let (found, expected) = (found[index], expected[index]);
            assert_eq!(found, expected, "{} in {}", joint.name, path.display());
        }
        check_partners(skeleton.with_roles(&found), &path);
        files += 1;
    }
    assert!(files >= 20, "only {files} conventions");
}

/// What has a side has a partner with the mirrored role.
fn check_partners(skeleton: Skeleton, path: &Path) {
    if skeleton.with_role(Role::Hips).is_none() {
        return;
    }
    let partners = mirror_partners(&skeleton);
    for (joint, partner) in skeleton.joints().iter().zip(partners) {
        let partner = skeleton.joint(partner);
        let mirrored = joint.role.map(Role::mirrored);
        assert_eq!(
            partner.role,
            mirrored,
            "{} in {}",
            joint.name,
            path.display()
        );
    }
}
