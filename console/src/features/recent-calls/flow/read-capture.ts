import type { Capture } from './model/capture/capture'

const here = async (files: ArrayBuffer[]): Promise<Capture | undefined> => {
  const { captureOf, together } = await import('./model/capture/capture')
  const captures = files.flatMap((file) => captureOf(new Uint8Array(file)) ?? [])
  return captures.length > 0 ? together(captures) : undefined
}

const beside = (files: ArrayBuffer[], signal: AbortSignal) =>
  new Promise<Capture | undefined>((done, failed) => {
    const worker = new Worker(new URL('./capture-worker.ts', import.meta.url), { type: 'module' })
    const end = (then: () => void) => {
      worker.terminate()
      then()
    }
    worker.onmessage = ({ data }: MessageEvent<Capture | undefined>) => end(() => done(data))
    worker.onerror = () => end(() => failed(new Error('The packet capture could not be read.')))
    signal.addEventListener('abort', () => end(() => failed(new Error('No longer wanted'))))
    worker.postMessage(files, files)
  })

/** Parses capture files and merges them; undefined if none is readable. Uses a worker if the environment has them. */
export const readCapture = (files: ArrayBuffer[], signal: AbortSignal): Promise<Capture | undefined> =>
  typeof Worker === 'undefined' ? here(files) : beside(files, signal)
