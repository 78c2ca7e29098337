import { describe, expect, it } from "vitest";
import { createVirtualTime } from "../router/virtual-time.ts";
import { Room } from "./room.ts";

/** A room that met one call in twelve without room, for some minutes, with all that was allowed under way. */
async function afterBusyMinutes(isPressed: boolean): Promise<Room> {
  const time = createVirtualTime();
  const room = new Room(time, 256, undefined);
  room.isPressed = isPressed;
  for (let call = 1; call <= 600; call++) {
    const step = room.begin();
    await time.run(time.elapsed() + 500);
    const others = room.allowed - 1;
    if (call % 12 === 0) room.failure(step, "capacity", null, others);
    else room.success(step, others);
  }
  return room;
}

describe("the pace of a worker", () => {
  it("is patient while its jobs can wait, and a batch's when their latest time comes", async () => {
    const patient = await afterBusyMinutes(false);
    const pressed = await afterBusyMinutes(true);
    expect(patient.allowed).toBeLessThan(5);
    expect(pressed.allowed).toBeGreaterThan(20);
    pressed.isPressed = false;
    expect(pressed.allowed).toBeLessThan(5);
  });

  it("is told to the queue as it was learnt, and as sixteen before", async () => {
    const time = createVirtualTime();
    expect(new Room(time, 256, undefined).countedOn).toBe(16);
    expect(new Room(time, 4, undefined).countedOn).toBe(4);
    const busy = await afterBusyMinutes(false);
    expect(busy.countedOn).toBe(busy.allowed);
  });

  it("lets one go ahead after a pause, and the others when that went well", async () => {
    const time = createVirtualTime();
    const room = new Room(time, 256, undefined);
    const steps = [room.begin(), room.begin(), room.begin()];
    for (const step of steps) room.failure(step, "capacity", 60_000, 0);
    expect(room.now(0)).toMatchObject({ most: 0, why: "capacity" });
    await time.run(70_000);
    expect(room.now(0)).toMatchObject({ most: 1 });
    const probe = room.begin();
    expect(room.now(1)).toMatchObject({ most: 0 });
    room.success(probe, 0);
    expect(room.now(0).most).toBe(room.allowed);
  });
});
