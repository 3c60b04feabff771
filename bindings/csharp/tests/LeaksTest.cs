// SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Linq;
using Dragoman;

/// <summary>A thousand loads leave the memory as it is.</summary>
static class LeaksTest
{
    static long ResidentKib()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var line = File.ReadLines("/proc/self/status").First(one => one.StartsWith("VmRSS:"));
        return long.Parse(line.Split(new[] { ' ', '\t' }, StringSplitOptions.RemoveEmptyEntries)[1]);
    }

    static void Load(Device device, int turn)
    {
        var exact = new ModelOptions { Device = device, ComputeType = ComputeType.F32 };
        using (var model = Model.Load(Program.TextModel, exact))
        using (var translator = new Translator(model, Program.ToXx))
        {
            if (turn % 50 == 0)
            {
                using (var found = translator.Translate(Program.Text, new TranslateOptions { ReturnAttention = true }))
                    Check.Same(found.Text, Program.Translated);
                foreach (var one in translator.Stream(new[] { Program.Text, Program.Text })) break;
                translator.TranslateAsync(Program.Text).Result.Dispose();
            }
            if (turn % 10 != 0) return;
            Check.Same(model.Languages(Side.Target).Count, 2);
            Check.Same(model.Tokenize(new[] { Program.Text })[0].Tokens.Length, 6);
            Check.Fails(Status.InvalidArgument, "beam_size",
                () => translator.Translate(Program.Text, new TranslateOptions { BeamSize = 100 }));
        }
    }

    [Test]
    static void AThousandLoads()
    {
        if (!File.Exists("/proc/self/status")) return;
        using (var device = new Device())
        {
            for (var turn = 0; turn < 150; ++turn) Load(device, turn);
            long before = ResidentKib(), held = device.Memory.HeldBytes;
            for (var turn = 0; turn < 1000; ++turn) Load(device, turn);
            var more = ResidentKib() - before;
            Console.WriteLine($"{before} KiB, and {more} more");
            Check.That(more < 8 << 10, $"{before} KiB, and {more} more after a thousand loads");  // a model has 200
            Check.Same(device.Memory.HeldBytes, held, "device memory");
        }
    }

    static void Drop(Model model)
    {
        for (var turn = 0; turn < 20; ++turn) new Translator(model, Program.ToXx).Translate(Program.Text);
    }

    [Test]
    static void WhatIsDroppedIsCollected()
    {
        using (var device = new Device())
        using (var model = Model.Load(Program.TextModel, new ModelOptions { Device = device, ComputeType = ComputeType.F32 }))
        {
            Drop(model);
            ResidentKib();
            using (var translator = new Translator(model, Program.ToXx))
                Check.Same(translator.Translate(Program.Text).Text, Program.Translated);
        }
    }
}
