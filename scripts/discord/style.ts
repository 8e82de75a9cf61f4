/** How Discord looks, near enough, in its two themes. */
export const CSS = `
  body { margin: 0; font: 15px/1.4 Text, Emoji, "Noto Sans", "DejaVu Sans", sans-serif; }
  h6 { margin: 0 0 8px; font: 11px monospace; color: var(--quiet); }
  .dark { background: #313338; color: #dbdee1; --embed: #2b2d31; --quiet: #949ba4;
    --strong: #f2f3f5; --code: #1e1f22;
    --mention: #c9cdfb; --mention-back: #3c4270; --bar: #4e5058; }
  .light { background: #ffffff; color: #2e3338; --embed: #f2f3f5; --quiet: #5c5e66;
    --strong: #060607; --code: #e7e9ec; --mention: #4752c4; --mention-back: #e0e3ff;
    --bar: #c4c9ce; }
  .cause { font-size: 13px; color: var(--quiet); margin: 0 0 3px 56px; position: relative; }
  .cause b, .command { color: var(--strong); font-weight: 500; }
  .command { color: var(--mention); }
  .dot { display: inline-block; width: 16px; height: 16px; border-radius: 8px; background: #e08c5a;
    color: #fff; font-size: 10px; line-height: 16px; text-align: center; margin-right: 3px; }
  .hook { position: absolute; left: -36px; top: 9px; width: 31px; height: 12px; border: 2px solid
    var(--bar); border-width: 2px 0 0 2px; border-top-left-radius: 6px; }
  .message { display: flex; gap: 16px; }
  .avatar { flex: none; width: 40px; height: 40px; border-radius: 20px; background: #1d9a95;
    color: #fff; font-size: 21px; line-height: 40px; text-align: center; margin-top: 2px; }
  .body { min-width: 0; flex: 1; }
  .head b { color: var(--strong); font-weight: 500; font-size: 16px; }
  .app { background: #5865f2; color: #fff; font-size: 10px; font-weight: 600; border-radius: 4px;
    padding: 2px 5px; margin: 0 6px; vertical-align: 2px; }
  .time-of-day { color: var(--quiet); font-size: 12px; }
  .mention { background: var(--mention-back); color: var(--mention); border-radius: 3px;
    padding: 0 2px; font-weight: 500; }
  .time { background: var(--code); border-radius: 3px; padding: 0 2px; }
  .embed { background: var(--embed); border-left: 4px solid; border-radius: 4px; margin-top: 5px;
    padding: 9px 14px 11px 12px; font-size: 14px; width: fit-content;
    max-width: min(432px, 100%); box-sizing: border-box; min-width: 180px; }
  .title { font-weight: 600; font-size: 15px; color: var(--strong); margin-bottom: 4px; }
  b { color: var(--strong); font-weight: 600; }
  .field { margin-top: 8px; }
  .footer { font-size: 12px; color: var(--quiet); margin-top: 7px; }
  .small { font-size: 12px; color: var(--quiet); }
  blockquote { margin: 2px 0; padding-left: 10px; border-left: 4px solid var(--bar);
    border-radius: 2px; }
  pre { background: var(--code); border-radius: 4px; padding: 8px 10px; margin: 4px 0; font:
    13px/1.35 "Noto Sans Mono", "DejaVu Sans Mono", Emoji, monospace; white-space: pre-wrap; }
  code { background: var(--code); border-radius: 3px; padding: 1px 3px; font-size: 85%; font-family:
    "Noto Sans Mono", "DejaVu Sans Mono", monospace; }
  .row { margin-top: 8px; display: flex; flex-wrap: wrap; gap: 8px; }
  .button { color: #fff; font-size: 14px; font-weight: 500; border-radius: 4px; padding: 5px 14px; }
  .button svg { margin-left: 7px; }
  .success { background: #248046; } .danger { background: #da373c; }
  .secondary { background: #4e5058; }
  .light .secondary { background: #6d6f78; }
  .select { width: 400px; box-sizing: border-box; border: 1px solid var(--bar);
    border-radius: 4px; padding: 7px 12px;
    color: var(--quiet); background: var(--embed); display: flex; justify-content: space-between; }
  .select i { font-style: normal; line-height: 12px; }
  .private { color: var(--quiet); font-size: 12px; margin-top: 7px; }
  .private span { color: var(--mention); }
  .choices { background: var(--embed); border: 1px solid var(--bar); border-radius: 6px; }
  .choice { padding: 5px 12px; display: flex; justify-content: space-between; gap: 16px;
    white-space: nowrap; overflow: hidden; }
  .choice span:first-child { overflow: hidden; text-overflow: ellipsis; }
  .choice .small { line-height: 21px; overflow: hidden; text-overflow: ellipsis; }
  .typed { background: var(--code); border-radius: 6px; padding: 8px 12px; margin-top: 6px; }
`;
