// Runs the Khronos validator over .glb files; any error or warning fails.
const fs = require("node:fs");
const validator = require("gltf-validator");

async function main(files) {
  let failed = files.length === 0 ? 1 : 0;
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
    const { numErrors, numWarnings, messages } = report.issues;
    const bad = messages.filter((message) => message.severity <= 1);
    for (const { code, message, pointer } of bad.slice(0, 10)) console.error(`${file}: ${code} ${pointer}: ${message}`);
    failed += numErrors + numWarnings > 0 ? 1 : 0;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
  }
  console.log(`glTF validator: ${files.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

main(process.argv.slice(2));
