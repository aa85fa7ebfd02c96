import type { Vendor } from '../vendor'
import { assemblyai } from './assemblyai'
import { aws } from './aws'
import { cartesia } from './cartesia'
import { cobalt } from './cobalt'
import { custom } from './custom'
import { deepgram } from './deepgram'
import { deepgramflux } from './deepgramflux'
import { elevenlabs } from './elevenlabs'
import { gladia } from './gladia'
import { google } from './google'
import { houndify } from './houndify'
import { ibm } from './ibm'
import { inworld } from './inworld'
import { microsoft } from './microsoft'
import { nuance } from './nuance'
import { nvidia } from './nvidia'
import { openai } from './openai'
import { playht } from './playht'
import { resemble } from './resemble'
import { rimelabs } from './rimelabs'
import { soniox } from './soniox'
import { speechmatics } from './speechmatics'
import { verbio } from './verbio'
import { voxist } from './voxist'
import { wellsaid } from './wellsaid'
import { whisper } from './whisper'

/** All vendors, by name. To add one, write its description in this folder and list it here. */
export const vendors: readonly Vendor[] = [
  assemblyai,
  aws,
  cartesia,
  cobalt,
  custom,
  deepgram,
  deepgramflux,
  elevenlabs,
  gladia,
  google,
  ibm,
  inworld,
  microsoft,
  nuance,
  nvidia,
  openai,
  playht,
  resemble,
  rimelabs,
  soniox,
  houndify,
  speechmatics,
  verbio,
  voxist,
  wellsaid,
  whisper,
]
