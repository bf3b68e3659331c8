//! A baked character as one HTML file in which it is steered by keys, without a server.
//!
//! The page, its script and the wrapper of the runtime are those of `integrations/web`; runtime
//! and character are in the page as base64.

use super::escaped;
use super::pack::base64;

const PAGE: &str = include_str!("../../../../integrations/web/page/page.html");
const SCRIPT: &str = include_str!("../../../../integrations/web/page/page.js");
const RUNTIME: &str = include_str!("../../../../integrations/web/afoot.js");

/// What such a page holds.
#[derive(Clone, Copy, Debug)]
pub struct SteeredPage<'a> {
    /// What stands above it.
    pub title: &'a str,
    /// The runtime, as WebAssembly.
    pub wasm: &'a [u8],
    /// The baked character.
    pub pack: &'a [u8],
}

/// The page as HTML.
pub fn draw_steered_page(page: &SteeredPage) -> String {
    // A page's own script has nobody to export to.
    let runtime = RUNTIME.replace("export class", "class");
    PAGE.replace("{{title}}", &escaped(page.title))
        .replace("{{runtime}}", &runtime)
        .replace("{{script}}", SCRIPT)
        .replace("{{wasm}}", &base64(page.wasm))
        .replace("{{pack}}", &base64(page.pack))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_all_it_needs() {
        let page = draw_steered_page(&SteeredPage {
            title: "Tom & <Ann>",
            wasm: b"foo",
            pack: b"foobar",
        });
        assert!(page.contains("<title>Tom &amp; &lt;Ann></title>"));
        assert!(page.contains(">Zm9v</script>") && page.contains(">Zm9vYmFy</script>"));
        assert!(!page.contains("{{") && !page.contains("export class"));
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "it asks nobody"
        );
    }
}
