import type { ModelEvent } from '../../core/model-event';
import { readConverseEvent } from './converse-event';
import { FrameReader } from './frame-reader';
import type { EventFrame } from './frame-reader';
import { stringMember } from './json-member';
import { brokenReply, exceptionError } from './upstream-failure';

/** Turns the bytes of a ConverseStream reply into events. Everything it throws is a `ModelCallError`. */
export class ConverseStreamDecoder {
  private readonly frames = new FrameReader();
  private events: ModelEvent[] = [];
  private hasStopped = false;

  /** Appends what a chunk completes to `events`; what came before a fault has been appended when it throws. */
  read(chunk: Buffer, events: ModelEvent[]): void {
    this.events = events;
    this.frames.read(chunk, this.take);
  }

  /** Throws unless the answer was whole; its usage may be missing, its end may not. */
  end(): void {
    if (!this.frames.isBetweenFrames()) throw brokenReply('it ends inside a frame');
    if (!this.hasStopped) throw brokenReply('it ends before the answer does');
  }

  private readonly take = ({ headers, payload }: EventFrame): void => {
    if (headers.messageType === 'event') this.takeEvent(headers.eventType ?? '', payload);
    else if (headers.messageType === 'exception') {
      throw exceptionError(headers.exceptionType ?? 'UnknownException', messageOf(payload));
    } else if (headers.messageType === 'error') {
      throw exceptionError(headers.errorCode ?? 'UnknownError', headers.errorMessage ?? '');
    } else throw brokenReply('a frame is neither event nor error');
  };

  private takeEvent(type: string, payload: string): void {
    const event = readConverseEvent(type, payload);
    if (event === undefined) return;
    if (event.type === 'stop') {
      if (this.hasStopped) return;
      this.hasStopped = true;
    }
    this.events.push(event);
  }
}

function messageOf(payload: string): string {
  try {
    return stringMember(JSON.parse(payload), 'message') ?? '';
  } catch {
    return '';
  }
}
