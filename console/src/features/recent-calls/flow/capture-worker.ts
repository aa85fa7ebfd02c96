import { captureOf, together } from './model/capture/capture'

// parses in a worker, so that a large file does not block the page
addEventListener('message', ({ data }: MessageEvent<ArrayBuffer[]>) => {
  const captures = data.flatMap((file) => captureOf(new Uint8Array(file)) ?? [])
  postMessage(captures.length > 0 ? together(captures) : undefined)
})
