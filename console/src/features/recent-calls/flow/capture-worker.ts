import { captureOf, together } from './model/capture/capture'

// beside the page, so that a large file does not hold it up
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer[]>) => {
  const captures = data.flatMap((file) => captureOf(new Uint8Array(file)) ?? [])
  postMessage(captures.length > 0 ? together(captures) : undefined)
})
